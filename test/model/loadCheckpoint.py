"""Whether transformers loads an exported checkpoint, and gives the log-probs that Turnbook gives.

    npm run -s turnbook -- train SPEC.json --out RUN
    npm run -s turnbook -- export huggingface RUN --out FOLDER
    python3 test/model/loadCheckpoint.py FOLDER/turn-ppo

Needs torch and transformers; no part of npm test. Ends with exit code 1 where tensors are missing or a log-prob is off by
more than 1e-4.

Seen with nano's turn-ppo after one iteration, transformers 5.18.0 and torch 2.13.0 on the processor, eager attention in
float32: Qwen3ForCausalLM, no missing and no mismatched tensor, two unexpected (value_head.weight, value_head.bias: the critic,
which transformers leaves out); over four rows of 24 random tokens the largest difference of a log-prob was 3.8e-6.

Its name must not be transformers.py: Python would import it in place of the package.
"""

import json
import pathlib
import random
import subprocess
import sys

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOLERANCE = 1e-4
ROWS, LENGTH = 4, 24


def ours(folder, ids):
    """Log-probs of the next token, [L][V], by the wasm engine."""
    command = ["node", ROOT / "src/cli/turnbook.mjs", "logits", "--model", folder, "--engine", "wasm"]
    printed = subprocess.run([*command, "--ids", ",".join(map(str, ids))], capture_output=True, text=True, check=True)
    return torch.tensor(json.loads(printed.stdout.strip().split("\n")[-1])["logits"]).log_softmax(-1)


def main(folder):
    model, info = AutoModelForCausalLM.from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager", output_loading_info=True
    )
    AutoTokenizer.from_pretrained(folder)
    print(type(model).__name__, {name: sorted(found) for name, found in info.items()})
    draw = random.Random(1)
    worst = 0.0
    for _ in range(ROWS):
        ids = [draw.randrange(model.config.vocab_size) for _ in range(LENGTH)]
        with torch.no_grad():
            theirs = model(torch.tensor([ids])).logits[0].log_softmax(-1)
        worst = max(worst, (ours(folder, ids) - theirs).abs().max().item())
    print(f"{ROWS} rows of {LENGTH} tokens: largest difference of a log-prob {worst:.1e}")
    return 1 if info["missing_keys"] or info["mismatched_keys"] or worst > TOLERANCE else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
