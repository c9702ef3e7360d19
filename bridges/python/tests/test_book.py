"""The chapter of the book about Python: its listings run, one after the other."""

import re
from pathlib import Path

import pytest

CHAPTER = Path(__file__).resolve().parents[3] / "book/src/python.md"


@pytest.mark.skipif(not CHAPTER.exists(), reason="needs the book")
def test_listings_run(tmp_path, monkeypatch):
    pytest.importorskip("scipy")
    monkeypatch.chdir(tmp_path)
    listings = re.findall(r"^```python\n(.*?)^```", CHAPTER.read_text(), re.S | re.M)
    assert len(listings) == 6
    names: dict[str, object] = {}
    for listing in listings:
        exec(compile(listing, "python.md", "exec"), names)
    assert (tmp_path / "fit.html").stat().st_size > 1000
