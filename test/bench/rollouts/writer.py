"""Times turnbook_log.py: milliseconds of processor time per million trained tokens, bytes a token. python3 test/bench/rollouts/writer.py [REPEATS]"""

import os
import platform
import statistics
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "..", "public", "python"))
import torch  # noqa: E402
import turnbook_log  # noqa: E402

torch.manual_seed(0)
torch.set_num_threads(1)
EPISODES, TURNS, LENGTH, ANSWER = 250, 8, 256, 40  # trained tokens a turn; the environment's between
NAMES = ["rollout_logprob", "old_logprob", "new_logprob", "ref_logprob", "entropy", "value", "advantage", "returns"]


class Tokenizer:
    """A table of words: a real one takes its own time for the same calls."""

    words = [f" w{i}" for i in range(150_000)]
    decode = lambda self, ids: "".join(map(self.words.__getitem__, ids))


mask = torch.tensor(([1] * LENGTH + [0] * ANSWER) * TURNS)
rows = [
    (torch.randint(0, 150_000, mask.shape), {name: torch.randn(mask.shape) for name in NAMES}) for _ in range(EPISODES)
]
tokens = EPISODES * TURNS * LENGTH
repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 5
print(f"{tokens} trained tokens, {EPISODES} episodes, n = {repeats}, torch {torch.__version__}, {platform.machine()}")
for keep, gz in (("texts", False), ("texts", True), ("ids", False), ("numbers", False)):
    taken, size = [], 0
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            log = turnbook_log.RolloutLog(folder, "bench", tokenizer=Tokenizer(), keep=keep, gz=gz)
            start = time.process_time()
            for i, (ids, columns) in enumerate(rows):
                log.parts(1, [dict(response_ids=ids, mask=mask, prompt=ids[:64], columns=columns)], [0.0] * TURNS,
                          split="train", group=str(i // 8), id=str(i), reward=1.0)  # fmt: skip
            log.flush()
            taken.append(1e9 * (time.process_time() - start) / tokens)
            size = sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder))
    name = keep + (", gz" if gz else "")
    print(f"| {name} | {statistics.median(taken):.0f} ({min(taken):.0f}-{max(taken):.0f}) | {size / tokens:.1f} |")
# What a worker adds to each call of its policy loss.
with tempfile.TemporaryDirectory() as folder:
    old, new = (torch.stack([columns[name] for _, columns in rows]) for name in ("old_logprob", "new_logprob"))
    taken = []
    for _ in range(repeats):
        start = time.process_time()
        turnbook_log.record(folder, old, new, mask.expand_as(old))
        taken.append(1e9 * (time.process_time() - start) / tokens)
        turnbook_log.recorded(folder)
    print(f"| log-probs after the update, in a worker | {statistics.median(taken):.0f} ({min(taken):.0f}-{max(taken):.0f}) | 4.0 |")
