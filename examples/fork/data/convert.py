"""Writes the samples of the MAT file beside this script as CSV; needs scipy."""
import pathlib
import scipy.io

folder = pathlib.Path(__file__).parent
file = scipy.io.loadmat(folder / "BrowserForkCompoundFirst1.mat", squeeze_me=True)
with open(folder / "BrowserForkCompoundFirst1.csv", "w") as table:
    table.write("time [s],gyro [V]\n")
    for sample, value in enumerate(file["data"]):
        table.write(f"{sample / file['ActualRate']:g},{value:.8g}\n")
