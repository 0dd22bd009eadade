"""One iteration of verl's own trainer (PPOTrainer.fit) on a processor, with a tiny model, the plugin and the writer.

iteration.py VERL KEYS [LOG] -> a line of JSON for each: what the trainer computed, for Turnbook to compute again. VERL: the folder
that holds the package verl, or an archive of it; KEYS: JSON list of exported overrides; LOG: the folder of the writer.
"""

import gc
import hashlib
import json
import os
import sys
import tarfile
import tempfile
import types

import numpy as np
import torch

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "..", "public", "python")]
import standIns  # noqa: E402

source, log = sys.argv[1], sys.argv[3] if len(sys.argv) > 3 else None
if os.path.isfile(source):
    unpacked = tempfile.TemporaryDirectory()
    with tarfile.open(source) as archive:
        archive.extractall(unpacked.name)
    source = unpacked.name
os.environ["VERL_USE_EXTERNAL_MODULES"] = "turnbook_verl" + (",turnbook_log" if log else "")
if log:
    os.environ["TURNBOOK_LOG"] = log
queue = standIns.install(source)
torch.manual_seed(5)
torch.set_default_dtype(torch.float64)
rng = np.random.default_rng(7)
VOCAB, N = 23, 2  # tokens; rollouts of a prompt

from tensordict import TensorDict  # noqa: E402
from verl.trainer.ppo.v1 import get_trainer_cls, trainer_base  # noqa: E402
from verl.workers.config import ActorConfig, CriticConfig  # noqa: E402
from verl.workers.config.actor import PolicyLossConfig  # noqa: E402
from verl.workers.utils import losses  # noqa: E402

# The imports take seconds, an iteration does not: all but the last are children of this process, which begin where the imports end.
*others, keys = json.loads(sys.argv[2])
is_child = False
gc.freeze()  # what is never collected, a child need not copy
for other in others:
    child = os.fork()
    if child == 0:
        keys, is_child = other, True
        break
    if os.waitpid(child, 0)[1] != 0:
        sys.exit(1)


# ---------------------------------------------------------------- a tiny model, and workers that train it
class Tiny(torch.nn.Module):
    def __init__(self, out):
        super().__init__()
        self.embed = torch.nn.Embedding(VOCAB, 8)
        self.body = torch.nn.GRU(8, 12, batch_first=True)
        self.head = torch.nn.Linear(12, out)

    def forward(self, ids):
        return self.head(self.body(self.embed(ids)[None])[0])[0]


actor, critic = Tiny(VOCAB), Tiny(1)


def log_probs(model, ids):
    """verl's alignment: the entry at t scores the token at t + 1. [L]"""
    rows = torch.log_softmax(model(ids), -1)
    return rows.gather(1, ids.roll(-1)[:, None])[:, 0], -(rows.exp() * rows).sum(-1)


class Output:
    def __init__(self, metrics):
        self.metrics, self.futures = metrics, []

    def get(self):
        return TensorDict({"metrics": self.metrics}, ())

    def __getitem__(self, key):
        return self.metrics


class Group:
    """A worker group of one rank: the engine's counts, micro-batches, and verl's own losses."""

    _dispatch_info = {"actor": [0]}

    def __init__(self, model, loss, lr):
        self.model, self.loss, self.seen, self.counts = model, loss, [], []
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr)

    def put(self, batch, **fields):
        queue.put(batch.keys, batch.partition_id, TensorDict({k: standIns.Jagged(v) for k, v in fields.items()}, len(batch)))
        return batch

    @torch.no_grad()
    def compute_log_prob(self, batch):
        ids = queue.get(batch.keys, batch.partition_id, ["input_ids"])["input_ids"].rows
        found = [log_probs(self.model, row) for row in ids]
        return self.put(batch, log_probs=[f[0] for f in found], entropy=[f[1] for f in found])

    @torch.no_grad()
    def compute_ref_log_prob(self, batch):
        ids = queue.get(batch.keys, batch.partition_id, ["input_ids"])["input_ids"].rows
        return self.put(batch, log_probs=[log_probs(reference, row)[0] for row in ids])

    @torch.no_grad()
    def infer_batch(self, batch):
        ids = queue.get(batch.keys, batch.partition_id, ["input_ids"])["input_ids"].rows
        self.put(batch, values=[self.model(row)[:, 0] for row in ids])
        return Output({})

    def train(self, batch, output_of, epochs, micro=4):
        for _ in range(epochs):
            rows = batch.keys
            whole = queue.get(rows, batch.partition_id)
            self.optimizer.zero_grad()
            tokens = whole["loss_mask"].sum().item()
            self.counts.append(int(tokens))
            total, outputs = 0.0, []
            for at in range(0, len(rows), micro):
                data = queue.get(rows[at : at + micro], batch.partition_id)
                data["dp_size"], data["batch_num_tokens"], data["global_batch_size"] = 1, tokens, len(rows)
                out = output_of(data["input_ids"].rows)
                for name in out:
                    out[name].values_ = out[name].values()
                    out[name].values_.retain_grad()
                    out[name].values = types.MethodType(lambda self: self.values_, out[name])
                loss, metrics = self.loss(model_output=out, data=data)
                loss.backward()
                total += loss.item()
                outputs += [out]
            self.seen.append((total, outputs))
            if "log_probs" in outputs[0]:
                self.last = [row.detach() for piece in outputs for row in piece["log_probs"].rows]
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1e9)
            self.optimizer.step()
        return Output({"mfu": [0.0], "loss": [total]})

    def update_actor(self, batch):
        pair = lambda rows: {"log_probs": standIns.Jagged([log_probs(self.model, row)[0] for row in rows])}
        return self.train(batch, pair, batch.extra_info["epochs"])

    def train_mini_batch(self, batch):
        value = lambda rows: {"values": standIns.Jagged([self.model(row)[:, 0] for row in rows])}
        return self.train(batch, value, batch.extra_info["epochs"])


# ---------------------------------------------------------------- rollouts, put where verl's agent loop puts them
episodes = {}


class AgentLoop:
    def generate_sequences(self, batch):
        for g, uid in enumerate(batch["uid"]):
            prompt = torch.tensor(rng.integers(1, VOCAB, 3 + g))
            for session in range(N):
                episode(uid, session, prompt)
            queue.put([uid], "train", tags=[{"status": "finished"}])


def episode(uid, session, prompt):
    mask, lengths = [], rng.integers(1, 5, rng.integers(1, 5))
    for h, n in enumerate(lengths):
        mask += [0] * (int(rng.integers(1, 4)) if h else 0) + [1] * int(n)
    responses = torch.tensor(rng.integers(1, VOCAB, len(mask)))
    ids = torch.cat([prompt, responses])
    with torch.no_grad():
        rollout = log_probs(actor, ids)[0][len(prompt) - 1 : -1]
    scores = torch.zeros(len(mask))
    scores[-1] = float(rng.normal())
    rewards = [float(x) for x in rng.normal(size=len(lengths) - 1)]
    mask = torch.tensor(mask)
    key = f"{uid}_{session}_0"
    row = {
        "uid": uid, "prompts": prompt, "responses": responses, "response_mask": mask, "loss_mask": mask, "input_ids": ids,
        "rm_scores": scores, "rollout_log_probs": rollout + 0.01 * torch.randn(len(mask)), "num_turns": len(lengths),
        "extra_fields": {"tool_rewards": rewards, "reward_extra_info": {"acc": float(scores[-1] > 0)}},
        "reward_model": {"ground_truth": "yes"},
    }  # fmt: skip
    episodes[key] = {"lengths": [int(n) for n in lengths], "rewards": [*rewards, 0.0], "score": float(scores[-1])}
    size = {"prompt_len": len(prompt), "response_len": len(mask), "seq_len": len(ids)}
    tag = {"status": "success", "global_steps": 1, "min_global_steps": 0, "max_global_steps": 0, **size}
    queue.parts["train"][key] = (row, tag)


# ---------------------------------------------------------------- the trainer
PREFIX = "actor_rollout_ref.actor."
ACTOR = {k: keys[PREFIX + k] for k in ("loss_agg_mode", "clip_ratio_low", "clip_ratio_high", "clip_ratio_c")}
config = standIns.DictConfig(
    {
        "algorithm": {
            "adv_estimator": keys["algorithm.adv_estimator"], "gamma": keys["algorithm.gamma"], "lam": keys["algorithm.lam"], "use_kl_in_reward": False,
            "turn_rewards": "tool_rewards", "kl_ctrl": {"type": "fixed", "kl_coef": 0.0},
        },
        "trainer": {
            "v1": {
                "trainer_mode": keys.get("trainer.v1.trainer_mode", "sync"),
                "sampler": {"max_off_policy_threshold": 1, "max_off_policy_strategy": "drop", "sampler_kwargs": {"poll_interval": 0.01}},
            },
            "project_name": "p", "experiment_name": "e", "logger": [], "total_epochs": 1, "val_before_train": False,
            "save_freq": -1, "test_freq": -1, "critic_warmup": 0, "rollout_data_dir": log,
        },
        "critic": {"enable": True, "ppo_mini_batch_size": 4, "ppo_epochs": 1, "data_loader_seed": 1, "shuffle": False},
        "actor_rollout_ref": {
            "model": {}, "rollout": {"n": N, "temperature": 1.0, "calculate_log_probs": True},
            "actor": {
                "ppo_mini_batch_size": 4, "ppo_epochs": 3, "data_loader_seed": 1, "shuffle": False,
                "calculate_entropy": False, "entropy_coeff": 0.0, "use_kl_loss": bool(log), **ACTOR,
                "policy_loss": {"loss_mode": keys[PREFIX + "policy_loss.loss_mode"]},
            },
        },
        "data": {"train_batch_size": 4}, "reward": {"reward_model": {"enable": False}},
        "global_profiler": {}, "skip": {},
    }
)  # fmt: skip
reference = Tiny(VOCAB)
reference.load_state_dict(actor.state_dict())
with torch.no_grad():
    for p in reference.parameters():
        p += 0.05 * torch.randn_like(p)

actor_config = ActorConfig(
    strategy="fsdp", ppo_micro_batch_size_per_gpu=4, rollout_n=N, **ACTOR,
    policy_loss=PolicyLossConfig(loss_mode=keys[PREFIX + "policy_loss.loss_mode"]),
)  # fmt: skip
critic_config = CriticConfig(
    strategy="fsdp", ppo_micro_batch_size_per_gpu=4, loss_agg_mode=keys["critic.loss_agg_mode"], cliprange_value=0.5
)
from functools import partial  # noqa: E402

trainer = get_trainer_cls(config.trainer.v1.trainer_mode)(config)
nothing = lambda *_, **__: None
trainer.global_steps, trainer.steps_per_epoch, trainer.total_training_steps = 0, 1, 1
trainer._init_dump_executor()
trainer.tokenizer = types.SimpleNamespace(
    eos_token_id=0, pad_token_id=0, decode=lambda ids, **_: " ".join(f"t{int(i)}" for i in ids)
)
trainer.actor_rollout_wg = Group(actor, partial(losses.ppo_loss, config=actor_config), 1.5)
trainer.critic_wg = Group(critic, partial(losses.value_loss, config=critic_config), 0.1)
trainer.ref_policy_wg, trainer.ref_in_actor = trainer.actor_rollout_wg, False
trainer.reward_loop_manager = types.SimpleNamespace(reward_loop_worker_handles=[])
trainer.checkpoint_manager = types.SimpleNamespace(update_weights=nothing, sleep_replicas=nothing)
trainer.resource_pool_manager = types.SimpleNamespace(get_n_gpus=lambda: 1)
trainer.distillation_config = None
trainer.train_dataloader_it = iter([{"raw_prompt": np.array(["a", "b", "c", "d"], dtype=object)}])
held = {}
queue_clear = trainer_base.tq.kv_clear


def kv_clear(keys, partition_id):
    """What was there when the step was over."""
    if any("values" in queue.parts[partition_id][key][0] for key in keys):
        held["keys"], held["rows"] = list(keys), [dict(queue.parts[partition_id][key][0]) for key in keys]
    queue_clear(keys, partition_id)


trainer_base.tq.kv_clear = kv_clear
metrics = {}
tracked = trainer_base.Tracking.log
trainer_base.Tracking.log = lambda self, data, step: (metrics.update(data), tracked(self, data, step))
trainer.fit(AgentLoop())

# ---------------------------------------------------------------- what it computed
at = {key: i for i, key in enumerate(held["keys"])}
order = held["keys"]


def tokens_of(outputs, name, grad):
    """Of each row, the entries of its response: verl's shift by one."""
    out = []
    for piece in outputs:
        values = piece[name].values_.grad if grad else piece[name].values_.detach()
        out += list(values.split([len(r) for r in piece[name].rows]))
    cut = lambda x, row: x[len(row["prompts"]) - 1 : -1][row["response_mask"].bool()]
    return [cut(x, row).tolist() for x, row in zip(out, held["rows"])]


def column(name):
    return [row[name][row["response_mask"].bool()].tolist() for row in held["rows"]]


def padded(name):
    return torch.nn.utils.rnn.pad_sequence([row[name] for row in held["rows"]], batch_first=True)


def other_ways():
    """The same batch by the trainer of verl before 0.9, by RAGEN's calls, and with a row for each turn."""
    import turnbook_verl
    from verl.protocol import DataProto
    from verl.trainer.ppo import ray_trainer

    mask, values, old = padded("response_mask"), padded("values"), padded("old_log_probs")
    rewards = padded("rm_scores") + turnbook_verl.extra_rewards(
        "tool_rewards", [row["extra_fields"] for row in held["rows"]], padded("rm_scores"), mask, [[i] for i in range(len(mask))]
    )  # fmt: skip
    batch = {"token_level_rewards": rewards, "values": values, "response_mask": mask}
    data = lambda: DataProto(batch=TensorDict(dict(batch), len(mask)))
    algorithm, name = config.algorithm, config.algorithm.adv_estimator
    before = ray_trainer.compute_advantage(data(), adv_estimator=name, config=algorithm)
    ragen = turnbook_verl.ragen_advantage(data(), name, algorithm.gamma, algorithm.lam)
    adv = padded("advantages")
    new = torch.nn.utils.rnn.pad_sequence(
        [x[len(row["prompts"]) - 1 : -1] for x, row in zip(trainer.actor_rollout_wg.last, held["rows"])], batch_first=True
    )
    loss, *_ = turnbook_verl.ragen_policy_loss(
        old, new, adv, mask, 0.2, 0.2, 0.2, 3.0, ACTOR["loss_agg_mode"], keys[PREFIX + "policy_loss.loss_mode"]
    )
    of_critic = data()
    config["critic"]["loss_agg_mode"] = keys["critic.loss_agg_mode"]
    read = turnbook_verl.ragen_critic_batch(of_critic, config)
    # Each turn as a row of its own, in another order: the same advantages.
    ids = turnbook_verl.turn_ids(mask)
    parts = [(b, h) for b in range(len(mask)) for h in reversed(range(int(ids[b].max()) + 1))]
    cut = lambda x: torch.stack([x[b] * (ids[b] == h) for b, h in parts])
    rows = [[i for h, i in sorted((h, i) for i, (c, h) in enumerate(parts) if c == b)] for b in range(len(mask))]
    kind, whiten, at = turnbook_verl.split_name(name)
    # A reward on the environment's tokens, or after the turn's last, is the turn's.
    split, _ = turnbook_verl.estimate(name, cut(rewards), cut(values), cut(mask), algorithm.gamma, algorithm.lam, rows)
    joined = torch.zeros_like(adv)
    for i, (b, _) in enumerate(parts):
        joined[b] += split[i]
    far = lambda x, y: float((x - y).abs().max())
    return {
        "before": far(before.batch["advantages"], adv), "ragen": far(ragen[0], adv), "split": far(joined, adv),
        "ragenLoss": loss.item(), "ragenCritic": [int(read.batch["response_mask"].sum()), int(of_critic.batch["response_mask"].sum())],
    }  # fmt: skip


def log_before():
    """The same rows as verl 0.7 and 0.8 keep them, by their trainer's own dump."""
    from verl.protocol import DataProto
    from verl.trainer.ppo.ray_trainer import RayPPOTrainer

    left = lambda x: torch.flip(torch.nn.utils.rnn.pad_sequence([r.flip(0) for r in x], batch_first=True), [1])
    ones = [(torch.ones_like(row["prompts"]), torch.ones_like(row["responses"])) for row in held["rows"]]
    right = lambda x: torch.nn.utils.rnn.pad_sequence(x, batch_first=True)
    names = ("responses", "response_mask", "old_log_probs", "values", "advantages", "returns", "rollout_log_probs")
    tensors = {name: padded(name) for name in names}
    tensors["token_level_scores"] = padded("rm_scores")
    tensors["prompts"] = left([row["prompts"] for row in held["rows"]])
    tensors["attention_mask"] = torch.cat([left([a for a, _ in ones]), right([b for _, b in ones])], 1)
    objects = {"uid": np.array([row["uid"] for row in held["rows"]], dtype=object)}
    rewards = [row["extra_fields"]["tool_rewards"] for row in held["rows"]]
    objects["tool_rewards"] = np.array([*rewards, None], dtype=object)[:-1]
    batch = DataProto(batch=TensorDict(tensors, len(ones)), non_tensor_batch=objects)
    old = types.SimpleNamespace(config=config, global_steps=2, tokenizer=trainer.tokenizer)
    RayPPOTrainer._log_rollout_data(old, batch, {}, {}, log)


def refusal(run):
    try:
        run()
    except ValueError as error:
        return str(error)


def refusals():
    import turnbook_verl

    one = torch.ones(1, 2)
    few = lambda given: turnbook_verl.extra_rewards("tool_rewards", [given], one, one, [[0]])
    call = partial(trainer_base.core_algos.get_adv_estimator_fn(config.algorithm.adv_estimator), config=config.algorithm)
    return [
        refusal(lambda: few({"tool_rewards": [1.0, 2.0]})),
        refusal(lambda: few({})),
        refusal(lambda: call(token_level_rewards=one, response_mask=one)),
    ]


def digest(path):
    return hashlib.sha256(open(os.path.join(source, path), "rb").read()).hexdigest()


if log:
    log_before()
files = sorted(os.path.relpath(m.__file__, source) for n, m in sys.modules.items() if n.split(".")[0] == "verl" and getattr(m, "__file__", None))
print(
    json.dumps(
        {
            "keys": order,
            "groups": [key.rsplit("_", 2)[0] for key in order],
            "episodes": [episodes[key] for key in order],
            "old": column("old_log_probs"), "values": column("values"), "reference": column("ref_log_prob") if trainer.use_reference_policy else None,
            "advantages": column("advantages"), "returns": column("returns"),
            "updates": [
                {"loss": loss, "logprob": tokens_of(out, "log_probs", False), "grad": tokens_of(out, "log_probs", True)}
                for loss, out in trainer.actor_rollout_wg.seen
            ],
            "critic": [
                {"loss": loss, "value": tokens_of(out, "values", False), "grad": tokens_of(out, "values", True)}
                for loss, out in trainer.critic_wg.seen
            ],
            "other": other_ways(), "refusals": refusals(),
            "registered": sorted(
                name
                for name in [*trainer_base.core_algos.POLICY_LOSS_REGISTRY, *trainer_base.core_algos.ADV_ESTIMATOR_REGISTRY]
                if str(name).startswith("turn_")
            ),
            "counts": {"actor": trainer.actor_rollout_wg.counts, "critic": trainer.critic_wg.counts},
            "metrics": {k: float(v) for k, v in metrics.items() if isinstance(v, (int, float, np.number))},
            "files": {f: digest(f) for f in files}, "standIns": sorted(standIns.Finder.used),
            "trainer": [c.__module__ for c in type(trainer).__mro__[:3]], "torch": torch.__version__,
        }
    )
)  # fmt: skip
if is_child:
    sys.stdout.flush()
    os._exit(0)  # its parent still needs the unpacked files
