"""Runs the commands of a sweep's plan on a Ray cluster, one core each; without a cluster, on this machine's cores.

    python src/cli/sweep/onRay.py plan.txt [--address auto]

Start it in Turnbook's folder, which every node must have at the same path. Exit code 1 if a command failed.
"""

import argparse
import os
import subprocess
import sys

import ray


@ray.remote(num_cpus=1)
def run(command: str, folder: str) -> tuple[int, str]:
    """Exit code, and the last line on stderr. Ray starts it again where its node is lost: the run then continues."""
    ended = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    return ended.returncode, ended.stderr.strip().split("\n")[-1]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("plan", help="what sweep --plan printed")
    parser.add_argument("--address", help="of a running cluster")
    asked = parser.parse_args()
    with open(asked.plan, encoding="utf-8") as lines:
        commands = [line.strip() for line in lines if line.strip()]
    ray.init(address=asked.address)
    waiting = {run.remote(one, os.getcwd()): one for one in commands}
    failed = 0
    while waiting:
        [task], _ = ray.wait(list(waiting), num_returns=1)
        code, said = ray.get(task)
        print(f"{code} {waiting.pop(task)}{f': {said}' if code else ''}", flush=True)
        failed += code != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
