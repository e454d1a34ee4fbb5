"""`dev.py fuzz`: whatever people do in any chat, nobody sees what is not theirs."""

import argparse
import json
import random
import time
from pathlib import Path

from .fuzzing import isolation


async def main(arguments: argparse.Namespace, workspace: Path) -> int:
    """0 if every probe held, else 1."""
    seed = random.randrange(2**32) if arguments.seed is None else arguments.seed
    began = time.monotonic()
    findings = (await isolation.run(arguments.cases, seed)).listed()
    seconds = round(time.monotonic() - began, 1)
    told = {"seed": seed, "cases": arguments.cases, "seconds": seconds, "findings": findings}
    if arguments.json:
        print(json.dumps(told, indent=2))
        return 1 if findings else 0
    print(f"{arguments.cases} probes in {seconds} s, seed {seed}, {len(findings)} findings")
    for finding in findings:
        print(f"  {finding['problem']} ({finding['seen']} times, first case {finding['case']})")
        print(f"    {finding['input']}")
    return 1 if findings else 0
