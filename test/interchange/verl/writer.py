"""Drives turnbook_log.py by hand and by a trainer with TRL's methods: writer.py FOLDER -> JSON of what was told."""

import json
import os
import sys
import types
import warnings

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "public", "python"))
import torch  # noqa: E402
import turnbook_log  # noqa: E402
from turnbook_log import RolloutLog  # noqa: E402

folder = sys.argv[1]
at = lambda name: os.path.join(folder, name)


class Tokenizer:
    name_or_path = "words"
    decode = lambda self, ids, **_: "".join(f"<{int(i)}>" for i in ids)


def write(name, kind=list, **options):
    log = RolloutLog(at(name), "mine", "1", Tokenizer(), {"estimator": "grpo", "gamma": 1.0}, 2, **options)
    log.episode(
        3, kind([7, 8, 9, 5, 7, 6]), kind([1, 1, 0, 0, 1, 0]), reward=1.5, group="task 1", id="a", prompt=kind([1, 2]),
        turn_rewards=[0.5, 1.0], rewards={"acc": 1, "bad": float("nan")}, success=True, terminated=True, truncated=False,
        policy=[2, 3], old_logprob=kind([-1.0, -2.0, 9.0, 9.0, float("nan"), 9.0]), advantage=kind([0.5] * 6),
    )  # fmt: skip
    log.metrics(3, {"actor/entropy": 0.7, "n": torch.tensor(2), "words": "x", "far": float("inf")})
    return log


told = []
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    write("lists")
    write("tensors", torch.tensor)
    write("ids", keep="ids")
    write("numbers", keep="numbers")
    write("packed", gz=True).episode(4, [7], [1], reward=0.0, group="task 2")
    write("packed", gz=True, rank=1)
    shards = write("shards", max_bytes=100)
    shards.episode(4, [7], [1])
    told.append(len(caught))
    # Errors: one warning, and what comes after is written.
    log = RolloutLog(at("errors"), "mine", tokenizer=Tokenizer())
    log.episode(1, [1, 2], [1, 1], reward="much")
    log.episode(1, [1, 2], [1, 1], nothing=[1, 2])
    log.episode(1, [1, 2], [1, 1], old_logprob=[1])
    log.episode(2, [], [])
    log.episode(2, [1, 2], [0, 0], reward=1)
    log.tokenizer.decode = lambda ids, **_: "\ud800 half"
    log.episode(3, [4], [1], reward=float("inf"))
    full = RolloutLog("/dev/null/none", "mine")
    full.episode(1, [1], [1])
    told += [str(w.message) for w in caught]
try:
    RolloutLog(folder, keep="all")
except ValueError as error:
    told.append(str(error))


# ---------------------------------------------------------------- the fields and methods of TRL's GRPOTrainer
class Trainer:
    args = types.SimpleNamespace(num_generations=2, epsilon=0.2, epsilon_high=0.28, loss_type="dapo", scale_rewards="group")
    processing_class, model = Tokenizer(), types.SimpleNamespace(training=True)
    state, accelerator = types.SimpleNamespace(global_step=0), types.SimpleNamespace(process_index=0)
    reward_func_names, reward_weights = ["exact", "short"], torch.tensor([1.0, 0.5])

    def _calculate_rewards(self, inputs, *_):
        return torch.tensor([[1.0, 2.0], [0.0, float("nan")]])

    def _generate_and_score_completions(self, inputs):
        self._calculate_rewards(inputs)
        self._get_per_token_logps_and_entropies(None)  # of the old policy: not what training leaves behind
        return {
            "prompt_ids": torch.tensor([[0, 1, 2], [3, 1, 2]]), "prompt_mask": torch.tensor([[0, 1, 1], [1, 1, 1]]),
            "completion_ids": torch.tensor([[4, 5, 6, 7], [4, 5, 0, 0]]) + inputs,
            "completion_mask": torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0]]),
            "tool_mask": torch.tensor([[1, 0, 0, 1], [1, 1, 1, 1]]), "advantages": torch.tensor([0.7, -0.7]),
            "old_per_token_logps": torch.full((2, 4), -1.0), "num_items_in_batch": torch.tensor(6),
        }  # fmt: skip

    def _get_per_token_logps_and_entropies(self, model, *_, **__):
        n = 2 if model is None else 1
        return torch.full((n, 4), -0.5 - self.state.global_step, requires_grad=True), torch.full((n, 4), 0.25), None

    def _compute_loss(self, model, inputs):
        return self._get_per_token_logps_and_entropies(model)[0].sum()

    def train(self):
        for step in range(2):
            self.state.global_step = step
            batch = self._generate_and_score_completions(10 * step)
            for b in (1, 0):  # one row at a time, in another order
                self._compute_loss("model", {k: v[b : b + 1] for k, v in batch.items() if v.dim() > 0})
            self.model.training = False
            self._generate_and_score_completions(100)
            self._compute_loss("model", batch)
            self.model.training = True


trainer = Trainer()
turnbook_log.trl(trainer, at("trl"))
trainer.train()
print(json.dumps(told))
