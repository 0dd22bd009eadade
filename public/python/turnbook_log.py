"""Writes the rollouts of any trainer as `turnbook-rollouts/1`, which Turnbook opens: tokens, masks, log-probs, rewards.

    log = RolloutLog("runs/a", framework="mine", tokenizer=tokenizer, settings={"estimator": "grpo", "gamma": 1})
    log.episode(step=1, group="task 7", reward=1.0, response_ids=ids, mask=mask, old_logprob=old, advantage=adv)
    log.metrics(1, {"actor/entropy": 0.7})
verl (0.7 to HEAD): this folder on PYTHONPATH, VERL_USE_EXTERNAL_MODULES=turnbook_log TURNBOOK_LOG=DIR, and
trainer.rollout_data_dir=DIR. TRL: `turnbook_log.trl(trainer, DIR)` before trainer.train().
TURNBOOK_LOG_KEEP or keep=: "texts" (all), "ids" (no texts), "numbers" (neither). TURNBOOK_LOG_GZ=1 or gz=True packs.
It never stops training: what goes wrong becomes one warning. It needs torch and nothing else.
"""

import array
import base64
import functools
import gzip
import hashlib
import importlib.abc
import importlib.util
import json
import math
import os
import socket
import struct
import sys
import warnings

FORMAT = "turnbook-rollouts/1"
KEEP = ("texts", "ids", "numbers")
#: Argument of `episode` -> column of the format.
COLUMNS = {
    "rollout_logprob": "rolloutLogprob",
    "old_logprob": "oldLogprob",
    "new_logprob": "newLogprob",
    "ref_logprob": "refLogprob",
    "entropy": "entropy",
    "value": "value",
    "advantage": "advantage",
    "returns": "return",
    "clipped": "clipped",
}
CODES = {"ids": "i", "clipped": "B"}


def quiet(f):
    """An error is told once, and the trainer goes on."""

    @functools.wraps(f)
    def run(*args, **kwargs):
        try:
            return f(*args, **kwargs)
        except Exception as error:  # noqa: BLE001
            if not quiet.told:
                quiet.told = True
                warnings.warn(f"turnbook_log: {type(error).__name__}: {error}; some rollouts are not written", stacklevel=2)

    return run


quiet.told = False


def listed(x):
    return x.tolist() if hasattr(x, "tolist") else list(x)


class Kept:
    """Where the policy spoke: runs of 1 in a mask [T]."""

    def __init__(self, mask):
        if hasattr(mask, "detach"):
            text = mask.detach().cpu().bool().numpy().tobytes()
        else:
            text = bytes(bool(m) for m in mask)
        self.size, self.runs, start = len(text), [], text.find(1)
        while start >= 0:
            end = text.find(0, start)
            self.runs.append((start, self.size if end < 0 else end))
            start = -1 if end < 0 else text.find(1, end)

    def __len__(self):
        return sum(z - a for a, z in self.runs)


def packed(x, kept, code):
    """The entries of x [T] where the policy spoke, as little-endian numbers. None stays None."""
    if x is None:
        return None
    if hasattr(x, "detach"):
        import torch

        kind = {"f": torch.float32, "i": torch.int32, "B": torch.uint8}[code]
        x = x.detach().cpu().to(kind)
        x = x if len(kept) == len(x) else torch.cat([x[a:z] for a, z in kept.runs]) if kept.runs else x[:0]
        return base64.b64encode(x.contiguous().numpy().tobytes()).decode()
    values = [x[t] for a, z in kept.runs for t in range(a, z)]
    numbers = array.array(code, values if code == "f" else [int(v) for v in values])
    if sys.byteorder == "big":
        numbers.byteswap()
    return base64.b64encode(numbers.tobytes()).decode()


def finite(x):
    if x is None:
        return None
    x = float(x)
    return x if math.isfinite(x) else None


class RolloutLog:
    """A run's rollouts in a folder, appended to and never changed: a file for each rank, a new one from `max_bytes` on."""

    def __init__(self, folder, framework=None, version=None, tokenizer=None, settings=None, group_size=None,
                 keep="texts", gz=False, rank=None, max_bytes=1 << 30):  # fmt: skip
        if keep not in KEEP:
            raise ValueError(f"keep is {keep!r}; allowed: {', '.join(KEEP)}")
        self.folder, self.keep, self.gz, self.max_bytes = folder, keep, gz, max_bytes
        self.rank = int(os.environ.get("RANK", 0)) if rank is None else rank
        self.tokenizer, self.known, self.path, self.lines = tokenizer, set(), None, []
        name = getattr(tokenizer, "name_or_path", None)
        self.header = {"format": FORMAT, "framework": framework, "version": version, "tokenizer": name,
                       "settings": settings or {}, "groupSize": group_size}  # fmt: skip

    @quiet
    def episode(self, step, response_ids, mask, reward=None, group=None, id=None, split="train", prompt=None,
                turn_rewards=None, rewards=None, success=None, terminated=None, truncated=None, policy=None,
                final_value=None, gains=None, **columns):  # fmt: skip
        """One episode. response_ids, mask and the columns (see COLUMNS) have an entry per token of the response [T]:
        lists, arrays or tensors; mask is 1 where the policy spoke. prompt: ids or text. turn_rewards: one a turn.
        """
        self.parts(
            step, [dict(response_ids=response_ids, mask=mask, prompt=prompt, columns=columns)], turn_rewards, gains,
            split=split, group=group, id=id, reward=finite(reward), success=success, terminated=terminated,
            truncated=truncated, policy=policy, finalValue=finite(final_value),
            rewards=rewards and {k: finite(v) for k, v in rewards.items()},
        )  # fmt: skip
        self.flush()

    def parts(self, step, rows, turn_rewards=None, gains=None, **facts):
        """An episode whose turns stand in several rows, in their order."""
        turns, found, final = [], {}, None
        for row in rows:
            ids, kept = row["response_ids"], Kept(row["mask"])
            listing = listed(ids)
            seen, end = self.text(row.get("prompt")), 0
            for a, z in kept.runs:
                if a > end:
                    between = self.text(listing[end:a])
                    seen = between if end else (seen or "") + between if between is not None else None
                turns.append({"observation": seen, "text": self.text(listing[a:z]), "n": z - a})
                seen, end = None, z
            final = self.text(listing[end:]) if end < kept.size else None
            self.learn(listing, kept)
            for name, x in {"ids": None if self.keep == "numbers" else ids, **row["columns"]}.items():
                column = "ids" if name == "ids" else COLUMNS[name]
                found.setdefault(column, []).append(packed(x, kept, CODES.get(column, "f")))
        for h, turn in enumerate(turns):
            for name, given in (("reward", turn_rewards), ("gain", gains)):
                if given is not None and h < len(given):
                    turn[name] = finite(given[h])
        line = {"step": int(step), **facts, "final": final, "turns": [present(t) for t in turns]}
        for name, pieces in found.items():
            if all(piece is not None for piece in pieces):
                line[name] = pieces[0] if len(pieces) == 1 else joined(pieces)
        self.lines.append(dumped(present(line)))

    def metrics(self, step, numbers):
        """What the trainer measured at a step, under its own names."""
        self._metrics(step, numbers)

    @quiet
    def _metrics(self, step, numbers):
        plain = {k: finite(v) for k, v in numbers.items() if isinstance(v, (int, float)) or getattr(v, "ndim", 1) == 0}
        self.lines.append(dumped({"step": int(step), "metrics": plain}))
        self.flush()

    def text(self, ids):
        if ids is None or self.keep != "texts":
            return None
        if isinstance(ids, str):
            return ids
        return None if self.tokenizer is None else self.tokenizer.decode(listed(ids))

    def learn(self, listing, kept):
        """The texts of tokens that are new."""
        if self.keep != "texts" or self.tokenizer is None:
            return
        new = {i for a, z in kept.runs for i in listing[a:z]} - self.known
        if new:
            self.known |= new
            self.lines.append(dumped({"vocab": {str(i): self.tokenizer.decode([i]) for i in sorted(new)}}))

    def flush(self):
        """Appends what was collected, in one write."""
        if not self.lines:
            return
        lines, self.lines = self.lines, []
        if self.path is None:
            self.path = self.next_path()
            lines.insert(0, dumped(self.header))
        path, self.path = self.path, None  # after an error, a line may be cut: the next goes into another file
        with gzip.open(path, "ab", 1) if self.gz else open(path, "ab") as f:
            f.write(("\n".join(lines) + "\n").encode("utf-8", "replace"))
        if os.path.getsize(path) < self.max_bytes:
            self.path = path
        else:
            self.known = set()

    def next_path(self):
        """A file that no process wrote: a run that goes on after a stop begins another."""
        os.makedirs(self.folder, exist_ok=True)
        for k in range(1_000_000):
            path = os.path.join(self.folder, f"rollouts-{self.rank}-{k:04d}.jsonl{'.gz' if self.gz else ''}")
            try:
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
                return path
            except FileExistsError:
                continue
        raise OSError(f"{self.folder} is full of files of rank {self.rank}")


def present(fields):
    return {k: v for k, v in fields.items() if v is not None}


def joined(pieces):
    return base64.b64encode(b"".join(base64.b64decode(piece) for piece in pieces)).decode()


def dumped(line):
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


# ---------------------------------------------------------------- log-probs after the update
# A trainer that keeps none calls its policy loss with them: each is kept in a file by the hash of the old ones.
def digest(old, kept):
    import torch

    return hashlib.blake2b(old.detach().cpu()[kept].to(torch.float32).numpy().tobytes(), digest_size=16).digest()


@quiet
def record(folder, old, new, mask):
    """old, new, mask [B, T], of one call of the policy loss, before its gradient's step."""
    import torch

    os.makedirs(folder, exist_ok=True)
    name = f".new-{socket.gethostname()}-{os.getpid()}"
    with open(os.path.join(folder, name), "ab") as f:
        for o, n, m in zip(old, new.detach().cpu(), mask.detach().cpu().bool()):
            x = n[m].to(torch.float32).numpy().tobytes()
            f.write(digest(o, m) + struct.pack("<I", len(x)) + x)


def recorded(folder):
    """What all workers recorded since the last call: digest -> float32 tensor. The last of an episode counts."""
    import torch

    found = {}
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if not name.startswith(".new-"):
            continue
        read = os.path.join(folder, name.replace(".new-", ".read-"))
        os.rename(os.path.join(folder, name), read)
        with open(read, "rb") as f:
            data = f.read()
        os.remove(read)
        at = 0
        while at + 20 <= len(data):
            (n,) = struct.unpack("<I", data[at + 16 : at + 20])
            if at + 20 + n > len(data):
                break
            found[data[at : at + 16]] = torch.frombuffer(bytearray(data[at + 20 : at + 20 + n]), dtype=torch.float32)
            at += 20 + n
    return found


# ---------------------------------------------------------------- verl
FIELDS = (
    "uid prompts responses response_mask rm_scores token_level_rewards rollout_log_probs old_log_probs ref_log_prob "
    "values advantages returns entropy extra_fields"
).split()
OF_VERL = {
    "rollout_log_probs": "rollout_logprob",
    "old_log_probs": "old_logprob",
    "ref_log_prob": "ref_logprob",
    "entropy": "entropy",
    "values": "value",
    "advantages": "advantage",
    "returns": "returns",
}


def verl_settings(config):
    algorithm, actor = config.algorithm, config.actor_rollout_ref.actor
    both = actor.get("clip_ratio", None)
    kl = algorithm.get("kl_ctrl", None)
    return {
        "estimator": str(algorithm.adv_estimator),
        "gamma": algorithm.get("gamma", None),
        "lambda": algorithm.get("lam", None),
        "epsLow": actor.get("clip_ratio_low", None) or both,
        "epsHigh": actor.get("clip_ratio_high", None) or both,
        "dualClip": actor.get("clip_ratio_c", None),
        "aggregation": actor.get("loss_agg_mode", None),
        "std": "sample" if algorithm.get("norm_adv_by_std_in_grpo", True) else "none",
        "klReward": kl.get("kl_coef", None) if algorithm.get("use_kl_in_reward", False) and kl else 0,
    }


def clipped_by(mode, d, advantage, kept, low, high):
    """Where the clip decides [T], for verl's vanilla loss and turnbook_verl's ratios of turns; None for others."""
    import torch

    if low is None or high is None or (mode != "vanilla" and not mode.startswith("turn_")):
        return None
    w = d.clamp(-20, 20)
    for a, z in kept.runs if mode != "vanilla" else []:
        w[a:z] = w[a:z].sum() if mode.startswith("turn_product") else d[a:z].mean()
    w = torch.exp(w.clamp(-20, 20))
    return ((advantage > 0) & (w > 1 + high)) | ((advantage < 0) & (w < 1 - low))


def of_environment(folder, **facts):
    return RolloutLog(
        folder, keep=os.environ.get("TURNBOOK_LOG_KEEP", "texts"), gz=os.environ.get("TURNBOOK_LOG_GZ") == "1", **facts
    )


def log_of(trainer):
    """The trainer's own log, made at its first step."""
    if not hasattr(trainer, "_turnbook_log"):
        import verl

        config = trainer.config
        trainer._turnbook_log = of_environment(
            os.environ["TURNBOOK_LOG"], framework="verl", version=getattr(verl, "__version__", None), rank=0,
            tokenizer=trainer.tokenizer, settings=verl_settings(config), group_size=config.actor_rollout_ref.rollout.n,
        )  # fmt: skip
    return trainer._turnbook_log


def rows_of(column):
    """A column as a list of rows: padded, jagged, or of Python objects."""
    if hasattr(column, "rows"):
        return column.rows
    if hasattr(column, "tolist") and not hasattr(column, "detach"):
        return column.tolist()
    return list(column.unbind() if hasattr(column, "unbind") else column)


def verl_episode(log, step, rows, new, config):
    """Rows of one episode as verl keeps them, each a dict of FIELDS."""
    field = config.algorithm.get("turn_rewards", None)
    mode = str(config.actor_rollout_ref.actor.policy_loss.loss_mode)
    parts, scores, turn_rewards, has = [], [], [], False
    for row in rows:
        keep = row["response_mask"].bool()
        columns = {mine: row[theirs] for theirs, mine in OF_VERL.items() if row.get(theirs) is not None}
        after = new.get(digest(row["old_log_probs"], keep)) if row.get("old_log_probs") is not None else None
        if after is not None:
            d = keep.new_zeros(keep.shape, dtype=after.dtype).masked_scatter(keep, after)
            columns["new_logprob"] = d
            if row.get("advantages") is not None:
                at = log.header["settings"]
                change = d - row["old_log_probs"].to(d.dtype)
                columns["clipped"] = clipped_by(mode, change, row["advantages"], Kept(keep), at["epsLow"], at["epsHigh"])
        parts.append(dict(response_ids=row["responses"], mask=keep, prompt=row["prompts"], columns=columns))
        reward = row.get("rm_scores") if row.get("rm_scores") is not None else row.get("token_level_scores")
        scores.append(0.0 if reward is None else float(reward.sum()))
        runs = Kept(keep).runs
        ends = [z for _, z in runs[:-1]] + [len(keep)]
        begins = [0] + ends[:-1]
        paid = [float(reward[a:z].sum()) for a, z in zip(begins, ends)] if reward is not None and runs else []
        has = has or any(paid[:-1])
        turn_rewards += paid
    extra = rows[-1].get("extra_fields") or {}
    info = {k: v for k, v in (extra.get("reward_extra_info") or {}).items() if isinstance(v, (int, float))}
    total = scores[-1]  # rows of one episode repeat its score
    if len(rows) > 1:
        turn_rewards = [0.0] * (len(turn_rewards) - 1) + [total] if turn_rewards else []
    given = extra.get(field) if field else None
    if given is not None:
        turn_rewards = [r + (given[h] if h < len(given) else 0.0) for h, r in enumerate(turn_rewards)]
        total, has = total + sum(given), True
    policy = [extra.get("min_global_steps"), extra.get("max_global_steps")]
    log.parts(
        step, parts, turn_rewards if has else None, split="train", group=str(rows[0]["uid"]), id=rows[0]["id"],
        reward=finite(total), rewards={k: finite(v) for k, v in info.items()} or None,
        success=bool(info["acc"]) if info.get("acc") in (0, 1) else None,
        policy=policy if all(isinstance(x, int) for x in policy) else None,
    )  # fmt: skip


@quiet
def log_verl_v1(trainer, batch):
    """verl 0.9 and later: from its queue, before it is cleared."""
    from verl.trainer.ppo.v1 import trainer_base

    data = trainer_base.tq.kv_batch_get(keys=batch.keys, partition_id=batch.partition_id, select_fields=FIELDS)
    columns = {name: rows_of(data[name]) for name in FIELDS if name in data}
    log, new = log_of(trainer), recorded(os.environ["TURNBOOK_LOG"])
    episodes = {}
    for i, key in enumerate(batch.keys):
        if batch.tags[i].get("is_padding", False):
            continue
        uid, session, output = key.rsplit("_", 2)
        row = {name: column[i] for name, column in columns.items()}
        episodes.setdefault((uid, session), []).append((int(output), {**row, "uid": uid, "id": f"{uid}_{session}"}))
    for rows in episodes.values():
        ordered = [row for _, row in sorted(rows, key=lambda pair: pair[0])]
        verl_episode(log, trainer.global_steps, ordered, new, trainer.config)
    log.flush()


@quiet
def log_verl_before(trainer, batch):
    """verl 0.7 and 0.8: from its DataProto, which is padded."""
    log, new = log_of(trainer), recorded(os.environ["TURNBOOK_LOG"])
    tensors, objects = batch.batch, batch.non_tensor_batch
    width = tensors["responses"].shape[1]
    attention = tensors["attention_mask"].bool()
    for i in range(len(tensors["responses"])):
        size = int(attention[i, -width:].sum())
        row = {name: tensors[name][i][:size] for name in [*FIELDS, "token_level_scores"] if name in tensors.keys()}
        row["prompts"] = tensors["prompts"][i][attention[i, :-width]]
        uid = str(objects["uid"][i])
        extra = {name: objects[name][i] for name in ("tool_rewards", "turn_scores") if name in objects}
        row |= {"uid": uid, "id": f"{uid}_{i}", "extra_fields": extra}
        verl_episode(log, trainer.global_steps, [row], new, trainer.config)
    log.flush()


def at_dump(cls, hook):
    """Where verl would dump a step's rollouts. If that is the folder of the log, the log is all."""
    dump = cls._log_rollout_data

    @functools.wraps(dump)
    def _log_rollout_data(self, batch, *args, **kwargs):
        folder = kwargs.get("rollout_data_dir", args[-1] if args else "")
        if os.path.abspath(str(folder)) != os.path.abspath(os.environ["TURNBOOK_LOG"]):
            dump(self, batch, *args, **kwargs)
        hook(self, batch)
        if hasattr(self, "_turnbook_log") and self._turnbook_log not in _open:
            _open.append(self._turnbook_log)

    cls._log_rollout_data = _log_rollout_data


def _hook_core_algos(core):
    get = core.get_policy_loss_fn

    def get_policy_loss_fn(name):
        loss = get(name)

        @functools.wraps(loss)
        def run(old_log_prob, log_prob, advantages, response_mask, *args, **kwargs):
            if log_prob.requires_grad:
                record(os.environ["TURNBOOK_LOG"], old_log_prob, log_prob, response_mask)
            return loss(old_log_prob, log_prob, advantages, response_mask, *args, **kwargs)

        return run

    core.get_policy_loss_fn = get_policy_loss_fn


def _hook_tracking(module):
    """The trainer's metrics of a step come after its rollouts."""
    log = module.Tracking.log

    @functools.wraps(log)
    def run(self, data, step, *args, **kwargs):
        for held in _open:
            held.metrics(step, data)
        return log(self, data, step, *args, **kwargs)

    module.Tracking.log = run


_open = []


HOOKS = {
    "verl.trainer.ppo.core_algos": _hook_core_algos,
    "verl.utils.tracking": _hook_tracking,
    "verl.trainer.ppo.ray_trainer": lambda m: at_dump(m.RayPPOTrainer, log_verl_before),
    "verl.trainer.ppo.v1.trainer_base": lambda m: at_dump(m.PPOTrainer, log_verl_v1),
}


class AfterImport(importlib.abc.MetaPathFinder):
    """Runs a hook when its module has been loaded."""

    def __init__(self, hooks):
        self.hooks = dict(hooks)
        for name in [name for name in self.hooks if name in sys.modules]:
            self.hooks.pop(name)(sys.modules[name])
        sys.meta_path.insert(0, self)

    def find_spec(self, name, path=None, target=None):
        hook = self.hooks.pop(name, None)
        spec = None if hook is None else importlib.util.find_spec(name)
        if spec is not None:
            run = spec.loader.exec_module

            def exec_module(module):
                run(module)
                quiet(hook)(module)

            spec.loader.exec_module = exec_module
        return spec


if os.environ.get("TURNBOOK_LOG") and importlib.util.find_spec("verl") is not None:
    AfterImport(HOOKS)


# ---------------------------------------------------------------- TRL
class _Trl:
    """What GRPOTrainer generated and has not trained on to the end."""

    def __init__(self, trainer, folder, keep, gz):
        args = trainer.args
        self.trainer, self.batch, self.rewards, self.seen, self.step = trainer, None, None, {}, 0
        self.log = RolloutLog(
            folder, framework="trl", tokenizer=trainer.processing_class, keep=keep, gz=gz,
            group_size=getattr(args, "num_generations", None),
            settings={
                "estimator": "grpo", "epsLow": getattr(args, "epsilon", None), "aggregation": getattr(args, "loss_type", None),
                "epsHigh": getattr(args, "epsilon_high", None) or getattr(args, "epsilon", None),
                "std": "none" if getattr(args, "scale_rewards", "group") in (False, "none") else "sample", "klReward": 0,
            },
        )  # fmt: skip

    @quiet
    def generated(self, batch):
        self.flush()
        self.step = self.trainer.state.global_step + 1
        self.batch = {k: v.detach().cpu() for k, v in batch.items() if hasattr(v, "detach")}

    @quiet
    def trained(self, inputs, logps, entropies):
        for b in range(len(inputs["completion_ids"])):
            row = (logps[b].detach().cpu(), None if entropies is None else entropies[b].detach().cpu())
            self.seen[self.key(inputs, b)] = row

    def key(self, batch, b):
        parts = ((batch[f"{name}_ids"][b], batch[f"{name}_mask"][b].bool()) for name in ("prompt", "completion"))
        return tuple(tuple(ids[mask].tolist()) for ids, mask in parts)

    @quiet
    def flush(self):
        batch, self.batch = self.batch, None
        if batch is None:
            return
        names, table = self.rewards if self.rewards is not None else ([], None)
        first = 0 if table is None else self.trainer.accelerator.process_index * len(batch["completion_ids"])
        for b, ids in enumerate(batch["completion_ids"]):
            there = batch["completion_mask"][b].bool()
            size = int(there.sum())
            spoken = there if batch.get("tool_mask") is None else there & batch["tool_mask"][b].bool()
            prompt = batch["prompt_ids"][b][batch["prompt_mask"][b].bool()]
            new, entropy = self.seen.get(self.key(batch, b), (None, None))
            row = lambda name: batch[name][b][:size] if batch.get(name) is not None else None
            old = row("old_per_token_logps")
            advantage = batch["advantages"][b]
            parts = None if table is None else {n: table[first + b][k] for k, n in enumerate(names)}
            weights = listed(self.trainer.reward_weights) if parts is not None else []
            self.log.parts(
                self.step, [dict(
                    response_ids=ids[:size], mask=spoken[:size], prompt=prompt,
                    columns={
                        "rollout_logprob": row("sampling_per_token_logps"), "ref_logprob": row("ref_per_token_logps"),
                        "old_logprob": old if old is not None or new is None else new[:size],
                        "new_logprob": None if new is None else new[:size], "entropy": None if entropy is None else entropy[:size],
                        "advantage": advantage.expand(size) if advantage.dim() == 0 else advantage[:size],
                    },
                )],
                group=hashlib.blake2b(prompt.numpy().tobytes(), digest_size=6).hexdigest(), id=f"{self.log.rank}-{self.step}-{b}",
                split="train", rewards=None if parts is None else {n: finite(v) for n, v in parts.items()},
                reward=None if parts is None else finite(sum(w * v for w, v in zip(weights, parts.values()) if v == v)),
            )  # fmt: skip
        self.seen = {}
        self.log.flush()


def trl(trainer, folder, keep="texts", gz=False):
    """Writes what a trl.GRPOTrainer trains on; call it before train(). Returns the log; `trainer._turnbook.flush()` ends it."""
    held = trainer._turnbook = _Trl(trainer, folder, keep, gz)
    generate, score, loss, forward = (
        getattr(trainer, name)
        for name in ("_generate_and_score_completions", "_calculate_rewards", "_compute_loss", "_get_per_token_logps_and_entropies")
    )
    asked = []

    def _calculate_rewards(*args, **kwargs):
        table = score(*args, **kwargs)
        held.rewards = (list(trainer.reward_func_names), table.detach().cpu().tolist())
        return table

    def _generate_and_score_completions(*args, **kwargs):
        before, held.rewards = held.rewards, None
        found = generate(*args, **kwargs)
        rewards, held.rewards = held.rewards, before
        if trainer.model.training:
            held.generated(found)
            held.rewards = rewards
        return found

    def _get_per_token_logps_and_entropies(*args, **kwargs):
        found = forward(*args, **kwargs)
        if asked:
            held.trained(asked[-1], found[0], found[1])
        return found

    def _compute_loss(model, inputs):
        if trainer.model.training:
            asked.append(inputs)
        try:
            return loss(model, inputs)
        finally:
            asked.clear()

    trainer._calculate_rewards, trainer._compute_loss = _calculate_rewards, _compute_loss
    trainer._generate_and_score_completions = _generate_and_score_completions
    trainer._get_per_token_logps_and_entropies = _get_per_token_logps_and_entropies
    train = trainer.train

    def train_and_flush(*args, **kwargs):
        try:
            return train(*args, **kwargs)
        finally:
            held.flush()

    trainer.train = train_and_flush
    return held.log
