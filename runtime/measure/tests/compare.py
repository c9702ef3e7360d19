#!/usr/bin/env python3
"""Compares the readers of `formats` with those that Python has, on their own test files.

    cargo build --release -p costate-measure --all-features --example dump
    python3 runtime/measure/tests/compare.py target/release/examples/dump [FOLDER]

The packages (numpy, scipy, nptdms, h5py, pyuff, asammdf, pyarrow) are fetched from the registry into FOLDER, which is temporary if it is not
given. Where that cannot be done, the comparison is skipped with a message. No file of a package is kept.

For each file: `same` numbers (and units) in both, `refused` with the reason by ours, or `DIFFERENT`, which fails.
"""
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

PACKAGES = ["numpy", "scipy==1.17.1", "nptdms==1.13.0", "h5py==3.16.0", "pyuff==2.5.8", "asammdf==8.8.28", "pyarrow"]
counts = {}
failures = []


def ours(dump, path):
    run = subprocess.run([dump, str(path)], capture_output=True, text=True)
    if run.returncode != 0:
        return {"panic": run.stderr[-300:]}
    return json.loads(run.stdout)


def numbers(texts):
    return [float(text) for text in texts]


def same(a, b, relative=0.0):
    a, b = list(a), list(b)
    close = lambda x, y: x == y or (math.isnan(x) and math.isnan(y)) or abs(x - y) <= relative * max(abs(x), abs(y))
    return len(a) == len(b) and all(close(float(x), float(y)) for x, y in zip(a, b))


def verdict(kind, path, outcome, reason=""):
    counts.setdefault(kind, {}).setdefault(outcome, 0)
    counts[kind][outcome] += 1
    print(f"{kind:8} {outcome:10} {pathlib.Path(path).name:50} {reason[:170]}")
    if outcome == "DIFFERENT":
        failures.append(path)


def check(kind, path, dump, compare):
    """`compare` gets our reading and returns a list of differences, or a text that says why the other reader has no answer."""
    read = ours(dump, path)
    if "panic" in read:
        return verdict(kind, path, "DIFFERENT", "panic: " + read["panic"])
    try:
        theirs = compare(read)
    except Exception as error:  # the other reader refuses
        outcome = "refused" if "error" in read else "only ours"
        return verdict(kind, path, outcome, f"theirs: {type(error).__name__}: {error}")
    if "error" in read:
        return verdict(kind, path, "refused", read["error"])
    left = "; ".join(f"{name}: {reason}" for name, reason in read["left_out"])
    if theirs:
        return verdict(kind, path, "DIFFERENT", "; ".join(theirs))
    verdict(kind, path, "same", f"left out: {left}" if left else "")


def flat(name, value, out):
    """Leaves of a MATLAB value by our names."""
    import numpy as np
    from scipy.sparse import issparse

    if issparse(value) or type(value).__name__ in ("MatlabOpaque", "MatlabFunction"):
        return
    if isinstance(value, np.ndarray) and value.dtype.names and type(value).__name__ != "MatlabObject":
        elements = value.flatten(order="F")
        for index, element in enumerate(elements):
            prefix = name if len(elements) == 1 else f"{name}({index + 1})"
            for field in value.dtype.names:
                # names that occur twice in the file have a number here
                flat(f"{prefix}.{re.sub('^_[0-9]+_', '', field)}", element[field], out)
    elif type(value).__name__ == "MatlabObject":
        return
    elif isinstance(value, np.ndarray) and value.dtype == object:
        for index, element in enumerate(value.flatten(order="F")):
            flat(f"{name}{{{index + 1}}}", element, out)
    elif isinstance(value, np.ndarray) and value.dtype.kind in "fiucb" and value.size:
        rows = value.shape[0] if value.ndim else 1
        matrix = value.reshape(rows, -1, order="F")
        if 1 in matrix.shape:
            out[name] = matrix.flatten(order="F")
        elif matrix.shape[0] >= matrix.shape[1] or value.ndim > 2:
            out.update({f"{name}(:,{k + 1})": matrix[:, k] for k in range(matrix.shape[1])})
        else:
            out.update({f"{name}({k + 1},:)": matrix[k, :] for k in range(matrix.shape[0])})


def channels(read):
    return {f"{group['name']}.{c['name']}" if group["name"] else c["name"]: c for group in read["groups"] for c in group["channels"]}


def mat(path):
    def compare(read):
        import numpy as np
        from scipy.io import loadmat

        expected = {}
        for name, value in loadmat(path).items():
            if not name.startswith("__"):
                flat(name, value, expected)
        if "error" in read:
            return []
        found = channels(read)
        left = [name for name, _ in read["left_out"]]
        differences = [f"{name} is not expected" for name in found if name not in expected]
        for name, values in expected.items():
            if name not in found:
                if not any(name.startswith(other) for other in left):
                    differences.append(f"{name} is missing")
                continue
            if not same(numbers(found[name]["values"]), np.real(values)):
                differences.append(f"{name} differs")
            if np.iscomplexobj(values) and not same(numbers(found[name]["imaginary"]), np.imag(values)):
                differences.append(f"{name} differs in its imaginary part")
        return differences

    return compare


def wav(path):
    def compare(read):
        import numpy as np
        from scipy.io import wavfile

        rate, data = wavfile.read(path)
        if "error" in read:
            return []
        data = data.reshape(len(data), -1)
        found = [c for group in read["groups"] for c in group["channels"]]
        if data.dtype == np.uint8:
            data = (data.astype(float) - 128.0) / 128.0
        elif data.dtype.kind == "i":
            data = data.astype(float) / 2.0 ** (8 * data.dtype.itemsize - 1)
        differences = [f"channel {k}" for k, c in enumerate(found) if not same(numbers(c["values"]), data[:, k])]
        differences += [f"rate {c['axis'][1]}" for c in found if not same([c["axis"][1]], [1.0 / rate])]
        return differences + ([f"{len(found)} channels"] if len(found) != data.shape[1] else [])

    return compare


def tdms(path):
    def compare(read):
        import numpy as np
        from nptdms import TdmsFile

        file = TdmsFile.read(path)
        if "error" in read:
            return []
        found, differences = channels(read), []
        left = [name for name, _ in read["left_out"]]
        for group in file.groups():
            for channel in group.channels():
                name = f"{group.name}.{channel.name}"
                if channel.dtype.kind not in "fiub":
                    continue
                if name not in found:
                    if not any(other in (name, channel.name) for other in left):
                        differences.append(f"{name} is missing")
                    continue
                if not same(numbers(found[name]["values"]), channel[:], 1e-15):
                    differences.append(f"{name} differs")
                if found[name]["unit"] != (channel.properties.get("unit_string") or None):
                    differences.append(f"{name} is in {found[name]['unit']}")
                step = channel.properties.get("wf_increment")
                if step and not same([found[name]["axis"][1]], [step]):
                    differences.append(f"{name} has the step {found[name]['axis']}")
        return differences

    return compare


def uff(path):
    def compare(read):
        import numpy as np
        import pyuff

        sets = pyuff.UFF(str(path)).read_sets()
        sets = [s for s in (sets if isinstance(sets, list) else [sets]) if s["type"] == 58]
        found = [c for group in read["groups"] for c in group["channels"]]
        spectra = read["spectra"]
        differences = [] if len(sets) == len(found) + len(spectra) else [f"{len(sets)} functions, and ours {len(found)} + {len(spectra)}"]
        for one in sets:
            data = np.asarray(one["data"])
            real, imaginary = np.real(data), np.imag(data) if np.iscomplexobj(data) else []
            pairs = [(numbers(c["values"]), numbers(c["imaginary"]), c["axis"]) for c in found]
            pairs += [(numbers(s["real"]), numbers(s["imaginary"]), s["axis"]) for s in spectra]
            axis = lambda a, n: numbers(a) if len(a) != 2 or isinstance(a[0], str) else [a[0] + k * a[1] for k in range(n)]
            if not any(same(r, real) and same(i, imaginary) and same(axis(a, len(r)), one["x"], 1e-14) for r, i, a in pairs):
                differences.append(f"function {one['func_type']} of {one['rsp_node']} differs")
        return differences

    return compare


def hdf5(path):
    def compare(read):
        import h5py
        import numpy as np

        expected = {}

        def visit(name, item):
            if isinstance(item, h5py.Dataset) and item.dtype.kind in "fiu" and item.size and item.dtype.itemsize <= 8:
                expected[name] = np.asarray(item[()], dtype=float)

        with h5py.File(path, "r") as file:
            file.visititems(visit)
        if "error" in read:
            return []
        found, left, differences = channels(read), [name for name, _ in read["left_out"]], []
        flattened = {name.replace(".", "/"): c for name, c in found.items()}
        for name, values in expected.items():
            parts = [c for other, c in flattened.items() if other == name or other.startswith(name + "[")]
            total = sum((numbers(c["values"]) for c in parts), [])
            if not parts:
                if not any(name.startswith(other.lstrip("/")) for other in left):
                    differences.append(f"{name} is missing")
            elif not same(sorted(total), sorted(values.flatten())):
                differences.append(f"{name} differs")
        return differences

    return compare


def mdf(path):
    def compare(read):
        from asammdf import MDF

        found, differences = channels(read), []
        units = {c["name"]: c for group in read["groups"] for c in group["channels"]}
        with MDF(path) as file:
            for signal in file.iter_channels():
                if signal.samples.dtype.kind not in "fiu" or signal.samples.ndim != 1:
                    continue
                one = units.get(signal.name)
                if one is None:
                    differences.append(f"{signal.name} is missing")
                    continue
                if not same(numbers(one["values"]), signal.samples, 1e-15):
                    differences.append(f"{signal.name} differs")
                if (one["unit"] or "") != signal.unit:
                    differences.append(f"{signal.name} is in {one['unit']} and not {signal.unit}")
                stamps = one["axis"] if isinstance(one["axis"][0], str) else [one["axis"][0] + k * one["axis"][1] for k in range(len(signal.samples))]
                if not same(numbers(stamps), signal.timestamps, 1e-12):
                    differences.append(f"{signal.name} has other times")
        return differences

    return compare


def parquet(path):
    def compare(read):
        import pyarrow.parquet as pq

        table = pq.read_table(path)
        if "error" in read:
            return []
        found, differences = channels(read), []
        by_name = {c["name"]: c for c in found.values()}
        for field in table.schema:
            column = table.column(field.name)
            if not (str(field.type).startswith(("int", "uint", "float", "double"))):
                continue
            one = by_name.get(field.name)
            expected = [float("nan") if v is None else float(v) for v in column.to_pylist()]
            if one is None or not same(numbers(one["values"]), expected):
                differences.append(f"{field.name} differs or is missing")
        return differences

    return compare


def written(folder):
    """Files that the other libraries write here."""
    import numpy as np

    t = np.arange(1000) * 1e-3
    x, n = np.sin(20 * t), np.arange(1000)
    files = {"uff": [], "mdf": [], "parquet": [], "tdms": [], "hdf5": []}
    import pyuff

    frf = np.exp(1j * 30 * t) / (1 + t)
    for binary in (0, 1):
        for spacing in (0, 1):
            for double in (False, True):
                for kind, data, function, abscissa in (("frf", frf, 4, 18), ("time", x, 1, 17)):
                    if binary and not double:
                        continue  # pyuff writes numbers of double precision under the header of single ones
                    path = folder / f"{kind}_b{binary}_s{spacing}_d{int(double)}.uff"
                    one = pyuff.prepare_58(
                        binary=binary, func_type=function, rsp_node=12, rsp_dir=3, ref_node=1, ref_dir=-2, data=data, x=t, id1="acc", rsp_ent_name="A",
                        ref_ent_name="B", abscissa_spacing=spacing, abscissa_spec_data_type=abscissa, ordinate_spec_data_type=12, orddenom_spec_data_type=13,
                        ordinate_axis_units_lab="m/s^2", orddenom_axis_units_lab="N", ord_data_type=(6 if kind == "frf" else 4) - (0 if double else (1 if kind == "frf" else 2)))
                    for mode in ("add", "add"):
                        pyuff.UFF(str(path)).write_sets(one, mode=mode, force_double=double)
                    files["uff"].append(path)
    from asammdf import MDF, Signal

    for name, options in (("plain", {}), ("zip", {"compression": 1}), ("transposed", {"compression": 2})):
        path = folder / f"{name}.mf4"
        with MDF(version="4.10") as file:
            file.append([Signal(x, t, unit="m/s^2", name="acc"), Signal(n.astype(np.int16), t, unit="N", name="force")], comment="rig")
            file.append([Signal((n % 50).astype(np.uint8), t * 2, unit="V", name="slow"), Signal(x.astype(np.float32), t * 2, unit="mm", name="path")])
            file.save(path, overwrite=True, **options)
        files["mdf"].append(path)
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({"time": t, "acc": x, "n": n, "f": x.astype(np.float32), "holes": [None if i % 7 == 0 else float(i) for i in range(1000)], "word": ["a"] * 1000})
    for codec in ("none", "snappy", "gzip", "lz4", "zstd"):
        for version in ("1.0", "2.0"):
            path = folder / f"{codec}_{version}.parquet"
            pq.write_table(table, path, compression=codec, data_page_version=version, row_group_size=300)
            files["parquet"].append(path)
    from nptdms import ChannelObject, TdmsWriter

    path = folder / "two.tdms"
    with TdmsWriter(str(path)) as writer:
        for part in range(3):
            writer.write_segment([
                ChannelObject("rig", "acc", x[part * 300 : part * 300 + 300], {"unit_string": "m/s^2", "wf_increment": 1e-3}),
                ChannelObject("rig", "force", n[:200].astype(np.int16), {"unit_string": "N", "wf_increment": 2e-3}),
            ])
    files["tdms"].append(path)
    import h5py

    path = folder / "two.h5"
    with h5py.File(path, "w") as file:
        file["run/acc"] = x
        file["run/acc"].attrs["unit"] = "m/s^2"
        file.create_dataset("run/packed", data=n, chunks=(100,), compression="gzip", shuffle=True)
        file["table"] = np.arange(60.0).reshape(20, 3)
    files["hdf5"].append(path)
    return files


def main():
    dump = sys.argv[1]
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else pathlib.Path(tempfile.mkdtemp())
    sys.path.insert(0, str(folder))
    try:
        import asammdf, h5py, nptdms, pyarrow, pyuff, scipy  # noqa: F401
    except ImportError:
        command = [sys.executable, "-m", "pip", "install", "-q", "--target", str(folder), *PACKAGES]
        if subprocess.run(command).returncode != 0:
            print("skipped: the packages cannot be fetched from the registry")
            return
        import asammdf, h5py, nptdms, pyarrow, pyuff, scipy  # noqa: F401
    import warnings

    warnings.simplefilter("ignore")
    at = lambda module, *parts: pathlib.Path(module.__file__).parent.joinpath(*parts)
    import scipy.io

    for path in sorted(at(scipy.io, "matlab", "tests", "data").glob("*.mat")):
        check("MAT", path, dump, mat(path))
    for path in sorted(at(scipy.io, "tests", "data").glob("*.wav")):
        check("WAV", path, dump, wav(path))
    for path in sorted(at(nptdms, "test", "data").glob("*.tdms")):
        check("TDMS", path, dump, tdms(path))
    for path in sorted(at(h5py, "tests", "data_files").glob("*.h5")):
        check("HDF5", path, dump, hdf5(path))
    with tempfile.TemporaryDirectory() as temporary:
        readers = {"uff": uff, "mdf": mdf, "parquet": parquet, "tdms": tdms, "hdf5": hdf5}
        for kind, paths in written(pathlib.Path(temporary)).items():
            for path in paths:
                check(kind.upper(), path, dump, readers[kind](path))
    for kind, outcomes in counts.items():
        print(kind, ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items())))
    if failures:
        sys.exit(f"{len(failures)} files are read differently")


if __name__ == "__main__":
    main()
