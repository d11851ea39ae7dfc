"""The worst files of 64 MB: memory and time of the program on each.

    MAPJUDGE_WORST=/tmp/worst cargo nextest run -p mapjudge-formats worst_files_are_written
    python3 conformance/worst_files.py --mapjudge target/release/mapjudge --files /tmp/worst

Every file is described and checked, then judged as its kind is: maps against a small truth with and without a search, runs
against a short one, lists against a list, and all of them as a submission to a contest. Prints a table in Markdown,
and ends with 1 if a run took more than 2 GiB or 30 s, or was ended by a signal.
"""

import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import zipfile

MAX_MIB = 2048
MAX_SECONDS = 30
# A run that takes longer is ended; it has failed anyway.
PATIENCE_SECONDS = 120

TRUTH = "resolution: 0.05\norigin: 0 0 0\n" + "\n".join(
    "".join("#" if row in (0, 79) or column in (0, 119) or (column == 60 and row < 50) else "." for column in range(120))
    for row in range(80)
) + "\n"
RUN = "".join(f"{t} {t % 9} 0 0 0 0 0 1\n" for t in range(200))
LIST = (
    '"pois"\n"1.2"\n"T"\n"C"\n"2024-07-19"\n"14:30:05"\n"P"\n\nid,time,text,x,y,z,robot,mode,type\n'
    + "".join(f'{n},14:32:10,"L{n}",{n},1,0,"r",A,qr\n' for n in range(1, 20))
)
VICTIMS = LIST.replace(",qr", ",victim")
MAPS = ("png_", "pgm_", "bmp_", "palette_", "geotiff_", "text_grid_", "ros_yaml_", "world_file_")
RUNS = ("tum_", "kitti_", "euroc_", "json_", "named_csv_", "pose_log_", "slam_csv_")
NOTES = ("mif_", "geojson_")


def commands(name, file, work):
    """What is run on a file: a word for the table, and the arguments."""
    yield "info", ["info", file]
    yield "lint", ["lint", file]
    resolution = ["--resolution", "0.05", "--force"]
    if name.startswith(MAPS):
        yield "score", ["score", file, "--truth", f"{work}/truth.txt", *resolution]
        yield "score, searched", ["score", file, "--truth", f"{work}/truth.txt", "--align", "auto", *resolution]
        yield "contest", ["contest", contest(work, name, "vr-2008", "map", file), "--out", f"{work}/out_{name}"]
    if name.startswith(RUNS):
        yield "traj", ["traj", file, "--truth", f"{work}/run.tum"]
    if name.startswith("detection_csv_"):
        yield "points", ["points", file, "--truth", f"{work}/pois.csv"]
        yield "contest", ["contest", contest(work, name, "rrl-2024", "points", file), "--out", f"{work}/out_{name}"]
    if name.startswith(NOTES):
        yield "score", ["score", f"{work}/truth.txt", "--truth", f"{work}/truth.txt", "--annotations", file]
    if name.startswith("g2o_"):
        yield "optimize", ["optimize", file]


def contest(work, name, profile, role, file):
    """A contest of one team that hands in this file."""
    folder = pathlib.Path(work, f"contest_{name}")
    team = folder / "team"
    shutil.copytree(pathlib.Path(file).parent, team, copy_function=os.link)
    (folder / "truth.txt").write_text(TRUTH)
    (folder / "pois.csv").write_text(LIST)
    (folder / "victims.csv").write_text(VICTIMS)
    truth = "[truth]\nmap = 'truth.txt'\nvictims = 'victims.csv'\npoints = 'pois.csv'\n"
    files = f"[files]\n{role} = '{pathlib.Path(file).name}'\n"
    text = f"profile = '{profile}'\n{truth}{files}[[teams]]\nname = 'team'\nfolder = 'team'\n"
    (folder / "contest.toml").write_text(text)
    return str(folder / "contest.toml")


def measured(program, arguments):
    """Seconds, seconds of the processor, MiB at the peak of the program and its children, and how it ended."""
    started = time.monotonic()
    child = subprocess.Popen([program, *arguments, "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    peak = 0
    while True:
        ended, status, usage = os.wait4(child.pid, os.WNOHANG)
        if ended:
            peak = max(peak, usage.ru_maxrss // 1024)
            break
        peak = max(peak, sum(resident_mib(pid) for pid in group(child.pid)))
        if time.monotonic() - started > PATIENCE_SECONDS:
            os.killpg(child.pid, signal.SIGKILL)
        time.sleep(0.02)
    computing = usage.ru_utime + usage.ru_stime
    return time.monotonic() - started, computing, peak, os.waitstatus_to_exitcode(status)


def group(leader):
    """The program and the children that judge for it."""
    try:
        children = pathlib.Path(f"/proc/{leader}/task/{leader}/children").read_text().split()
    except OSError:
        return []
    return [leader, *map(int, children)]


def resident_mib(pid):
    try:
        lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM"))


def archives(folder):
    """Zip archives: as many empty entries as fit, and one entry that unpacks to a thousand times its length."""
    for name in ("zip_entries", "zip_bomb"):
        place = pathlib.Path(folder, name)
        if place.exists():
            continue
        place.mkdir()
        with zipfile.ZipFile(place / "team.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            if name == "zip_entries":
                for number in range(500_000):
                    archive.writestr(f"{number}.csv", "")
            else:
                with archive.open("map.pgm", "w", force_zip64=True) as entry:
                    entry.write(b"P5 32768 32768 255\n")
                    for _ in range(1024):
                        entry.write(bytes(1 << 20))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mapjudge", required=True)
    parser.add_argument("--files", required=True)
    parser.add_argument("--only", default="", help="names that begin with one of these, separated by commas")
    options = parser.parse_args()
    archives(options.files)
    work = pathlib.Path(options.files, ".work")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    for name, text in {"truth.txt": TRUTH, "run.tum": RUN, "pois.csv": LIST}.items():
        (work / name).write_text(text)
    print("| file | MB | command | s | CPU s | MiB | exit |\n|---|---:|---|---:|---:|---:|---:|", flush=True)
    over = 0
    for place in sorted(pathlib.Path(options.files).iterdir()):
        if place.name.startswith(".") or not place.name.startswith(tuple(options.only.split(","))):
            continue
        files = sorted(place.iterdir(), key=lambda file: file.suffix not in (".yaml", ".mif", ".pgm"))
        files = [file for file in files if file.suffix == ".yaml"] or files
        whole_mb = sum(file.stat().st_size for file in place.iterdir()) / 1e6
        for word, arguments in commands(place.name, str(files[0]), str(work)):
            seconds, computing, mib, code = measured(options.mapjudge, arguments)
            is_over = mib > MAX_MIB or seconds > MAX_SECONDS or code < 0
            over += is_over
            mark = " **over**" if is_over else ""
            print(f"| {place.name} | {whole_mb:.1f} | {word} | {seconds:.1f} | {computing:.1f} | {mib} | {code}{mark} |", flush=True)
    shutil.rmtree(work, ignore_errors=True)
    sys.exit(1 if over else 0)


if __name__ == "__main__":
    main()
