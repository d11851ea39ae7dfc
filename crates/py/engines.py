"""Ray, Dask and Spark with two workers, one of them killed: the rows are those of one process, byte for byte.

    python engines.py              each engine that is installed; the others are skipped by name
    python engines.py ray --rows 200

Ray and Dask listen beyond this machine, and whoever reaches their ports runs code: the script starts itself again in a
network of its own (`unshare`), where nothing but loopback is up, and goes on in there alone. Without the right to make one
nothing is started. The examples of the adapters run in there too. Ends with 1 if bytes differ or an example fails.
"""

from __future__ import annotations

import argparse
import doctest
import fcntl
import hashlib
import importlib
import importlib.util
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from typing import Any

ENGINES = ("ray", "dask", "spark")
JOB = {"metrics": ["overall_error", "occupied_iou", "chamfer_distance"]}


def pairs(folder: pathlib.Path, rows: int) -> Any:
    """A table of pairs, a tenth of which is broken."""
    import numpy as np
    import pyarrow

    import mapjudge as mj

    rng = np.random.default_rng(4)
    names = []
    for number in range(12):
        cells = np.where(rng.random((200, 200)) < 0.05, 0, 254).astype(np.uint8)
        cells[:: 40 + number] = 0
        mj.write(mj.Map(cells, resolution=0.05, origin=(0, 0)), folder / f"{number}.yaml")
        names.append(str(folder / f"{number}.yaml"))
    (folder / "garbage.png").write_bytes(b"no image")
    broken = [str(folder / "garbage.png"), str(folder / "nowhere.pgm")]
    maps = [broken[row // 10 % 2] if row % 10 == 9 else names[1 + row % 11] for row in range(rows)]
    table = {"map": maps, "truth": [names[0]] * rows, "id": [f"{row:06}" for row in range(rows)], "seed": list(range(rows))}
    return pyarrow.table(table)


def file_digest(table: Any, folder: pathlib.Path, name: str) -> str:
    """Hash of the rows as a file, in the order of their ids."""
    import pyarrow.parquet

    path = folder / f"{name}.parquet"
    # Engines leave notes of their own in the metadata of a schema.
    pyarrow.parquet.write_table(table.sort_by("id").replace_schema_metadata(None), path)
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Killer:
    """Kills the first busy process that is a worker, once rows are computed."""

    def __init__(self, is_worker: Callable[[str, int], bool]) -> None:
        self._is_worker, self.killed, self._done = is_worker, 0, threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> Killer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.wait(0.02):
            for process in pathlib.Path("/proc").iterdir():
                if process.name.isdigit() and self._kill(int(process.name)):
                    return

    def _kill(self, pid: int) -> bool:
        try:
            words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            # A worker that has loaded mapjudge is computing rows.
            is_busy = "mapjudge/_core" in pathlib.Path(f"/proc/{pid}/maps").read_text()
            if pid == os.getpid() or not is_busy or not self._is_worker(words, pid):
                return False
            time.sleep(0.2)
            os.kill(pid, signal.SIGKILL)
        except (OSError, ProcessLookupError):
            return False
        self.killed = pid
        return True


def examples_of(engine: str) -> str:
    """Runs the examples of an adapter with the engine as it was started; they read the demonstration."""
    failed, tried = doctest.testmod(importlib.import_module(f"mapjudge.{engine}"))
    return f"{tried} lines of examples" if tried and not failed else "EXAMPLES FAILED"


def by_ray(table: Any, folder: pathlib.Path) -> tuple[Any, int, str]:
    # On a busy machine its processes need longer than half a minute to start.
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "300")
    import pyarrow
    import ray

    from mapjudge.ray import score_dataset

    # Sockets of Ray have paths of at most 107 bytes.
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, _temp_dir=str(folder / "r"), _node_ip_address="127.0.0.1")
    try:
        ray.data.DataContext.get_current().enable_progress_bars = False
        with Killer(lambda words, _: words.startswith("ray::")) as killer:
            rows = score_dataset(ray.data.from_arrow(table).repartition(16), JOB, batch_size=25)
            found = pyarrow.concat_tables(ray.get(rows.to_arrow_refs()))
        return found, killer.killed, examples_of("ray")
    finally:
        ray.shutdown()


def by_dask(table: Any, _: pathlib.Path) -> tuple[Any, int, str]:
    import dask.dataframe
    import pyarrow
    from distributed import Client, LocalCluster

    from mapjudge.dask import score_frame

    cluster = LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None)
    with cluster, Client(cluster) as client:
        workers = set(client.run(os.getpid).values())
        with Killer(lambda _, pid: pid in workers) as killer:
            frame = dask.dataframe.from_pandas(table.to_pandas(), npartitions=16)
            found = score_frame(frame, JOB).compute()
        tried = examples_of("dask")
    return pyarrow.Table.from_pandas(found, preserve_index=False), killer.killed, tried


def by_spark(table: Any, _: pathlib.Path) -> tuple[Any, int, str]:
    import pyarrow
    from pyspark.sql import SparkSession

    from mapjudge.spark import schema_of, score_batches

    os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
    # Two workers; a task whose worker died is tried again, which a local master does only when told so.
    builder = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "25").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    try:
        frame = session.createDataFrame(table.to_pandas()).repartition(16)
        with Killer(lambda words, _: "pyspark" in words and "daemon" in words) as killer:
            found = frame.mapInArrow(score_batches(JOB), schema_of(frame, JOB)).toArrow()
        return found, killer.killed, examples_of("spark")
    finally:
        session.stop()


BY = {"ray": by_ray, "dask": by_dask, "spark": by_spark}
NEEDS = {"ray": "ray", "dask": "distributed", "spark": "pyspark"}


def why_not(engine: str) -> str | None:
    if importlib.util.find_spec(NEEDS[engine]) is None:
        return f"{NEEDS[engine]} is not installed"
    if engine == "spark" and shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        return "Java is not here"
    return None


def loopback_up() -> None:
    """A new network has its loopback down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        # SIOCSIFFLAGS with IFF_UP | IFF_RUNNING.
        fcntl.ioctl(one, 0x8914, struct.pack("16sh14x", b"lo", 0x41))


def inside(options: argparse.Namespace) -> int:
    loopback_up()
    differ = False
    with tempfile.TemporaryDirectory(prefix="mj") as name:
        folder = pathlib.Path(name)
        # Ray leaves a token in the home folder.
        os.environ["HOME"] = name
        os.chdir(folder)
        subprocess.run([sys.executable, "-m", "mapjudge", "demo", "--quiet", "--out", "demo"], check=True, stdout=subprocess.DEVNULL)
        table = pairs(folder, options.rows)
        from mapjudge.table import score_table

        begun = time.monotonic()
        serial = score_table(table, JOB)
        wanted = file_digest(serial, folder, "serial")
        errors = serial["status"].to_pylist().count("error")
        print(f"serial: {serial.num_rows} rows, {errors} errors, {time.monotonic() - begun:.1f} s", flush=True)
        for engine in options.engines or ENGINES:
            reason = why_not(engine)
            if reason is not None:
                print(f"skipped: {engine}: {reason}", flush=True)
                continue
            begun = time.monotonic()
            found, killed, tried = BY[engine](table, folder)
            found = found.select(serial.column_names).cast(serial.schema)
            is_equal = file_digest(found, folder, engine) == wanted
            fate = f"worker {killed} killed" if killed else "NO WORKER KILLED"
            told = f"{engine}: {found.num_rows} rows, {fate}, {time.monotonic() - begun:.1f} s, {tried}"
            print(f"{told}, bytes {'equal' if is_equal else 'DIFFER'}", flush=True)
            differ |= not is_equal or not killed or "FAILED" in tried
    return 1 if differ else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help=", ".join(ENGINES))
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    unknown = [engine for engine in options.engines if engine not in ENGINES]
    if unknown:
        parser.error(f"unknown engine {unknown[0]}")
    if options.inside:
        return inside(options)
    alone = ["unshare", "--net", "--pid", "--fork", "--mount-proc"]
    alone += [] if os.geteuid() == 0 else ["--map-root-user"]
    if shutil.which("unshare") is None or subprocess.run([*alone, "true"], capture_output=True).returncode != 0:
        print("skipped: ray, dask, spark: no network namespace can be made here")
        return 0
    os.execvp("unshare", [*alone, sys.executable, os.path.abspath(__file__), *sys.argv[1:], "--inside"])


if __name__ == "__main__":
    sys.exit(main())
