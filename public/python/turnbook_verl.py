"""Turn-PPO for verl 0.7.1 to HEAD: turn GAE, turn critic, one ratio and one clip a turn, its aggregation.

With this folder on PYTHONPATH and VERL_USE_EXTERNAL_MODULES=turnbook_verl (or installed with pip, from verl 0.9 on):
    algorithm.adv_estimator="turn_gae/turns"       turn_gae/WHITEN, turn_gae/WHITEN/turn-end, turn_mean_gae/WHITEN
    critic.enable=true
    actor_rollout_ref.actor.policy_loss.loss_mode="turn_product/turnsum-over-tokens"
                                                   turn_product or turn_geomean, alone: loss_agg_mode decides
    trainer.v1.trainer_mode="turnbook_sync"        verl 0.9 and later; before, its trainer is used as it is
    +algorithm.turn_rewards="tool_rewards"         optional: extra field with a reward for each turn
WHITEN: none, tokens, turns, turns-population, turns-sample. A turn is a run of tokens with response_mask 1.
verl keeps the value of the prefix before a token at that token, so V(s_h) stands at turn h's first token.
Where an episode was cut off it counts as ended. RAGEN (verl 0.6.1) takes ragen.patch as well.
"""

import importlib.abc
import importlib.util
import sys
from functools import partial

import torch

WHITENINGS = ("none", "tokens", "turns", "turns-population", "turns-sample")
LIMIT = 20.0  # of log-ratios, as in verl's vanilla loss


# ---------------------------------------------------------------- turns of a response, from its mask
def turn_ids(mask):
    """[B, T] 0 or 1 -> [B, T] number of the turn from 0; -1 at the environment's tokens and padding."""
    m = mask.bool()
    before = torch.cat([torch.zeros_like(m[:, :1]), m[:, :-1]], dim=1)
    return torch.where(m, (m & ~before).long().cumsum(1) - 1, torch.full_like(m, -1, dtype=torch.long))


def turn_starts(mask):
    """[B, T] -> [B, T] bool, true at the first token of each turn."""
    m = mask.bool()
    return m & ~torch.cat([torch.zeros_like(m[:, :1]), m[:, :-1]], dim=1)


def turn_ends(mask):
    """[B, T] -> [B, T] bool, true at the last token of each turn."""
    m = mask.bool()
    return m & ~torch.cat([m[:, 1:], torch.zeros_like(m[:, :1])], dim=1)


def value_mask(mask, value_at="state-end"):
    """The tokens whose values the critic learns; verl's mask is all tokens of the policy."""
    at = {"state-end": turn_starts, "turn-end": turn_ends, "token": lambda m: m.bool()}[value_at]
    return at(mask).to(mask.dtype)


def per_turn(x, ids, n):
    """Sum of x over each turn. [B, T] -> [B, n]"""
    out = x.new_zeros(x.shape[0], n + 1)
    return out.scatter_add(1, torch.where(ids < 0, torch.full_like(ids, n), ids), x)[:, :n]


def spread(y, ids):
    """[B, n] -> [B, T], 0 outside turns."""
    return torch.where(ids < 0, y.new_zeros(()), y.gather(1, ids.clamp(min=0)))


def turn_sums(rewards, ids, n):
    """A reward on a token of the environment belongs to the turn before it. [B, T] -> [B, n]"""
    position = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
    last = torch.where(ids < 0, torch.zeros_like(position), position).cummax(1).values
    return per_turn(rewards, ids.gather(1, last), n)


# ---------------------------------------------------------------- advantages
def whitened(adv, count, how):
    """adv [B, n], tokens of each turn [B, n] (0: no turn) -> [B, n]. Equal advantages become 0."""
    has = count > 0
    a, w = adv[has], count[has] if how == "tokens" else torch.ones_like(adv[has])
    if how == "none" or a.numel() == 0:
        return adv
    if bool((a == a[0]).all()):
        return torch.zeros_like(adv)
    if how == "tokens":  # verl's masked_whiten, whose count is 1e-8 larger
        total = w.sum() + 1e-8
        mean = (a * w).sum() / total
        variance = ((a - mean) ** 2 * w).sum() / total * w.sum() / (w.sum() - 1)
    else:
        mean, variance = a.mean(), a.var(unbiased=how != "turns-population")
    scale = torch.rsqrt(variance + 1e-8) if how in ("tokens", "turns") else 1 / (variance.sqrt() + 1e-9)
    return torch.where(has, (adv - mean) * scale, adv)


def gae(rewards, values, has, gamma, lam):
    """GAE over the columns of [B, S] that `has` marks; the others are passed over."""
    adv = torch.zeros_like(values)
    last, following = torch.zeros_like(values[:, 0]), torch.zeros_like(values[:, 0])
    for s in reversed(range(values.shape[1])):
        on = has[:, s]
        delta = rewards[:, s] + gamma * following - values[:, s]
        last = torch.where(on, delta + gamma * lam * last, last)
        following = torch.where(on, values[:, s], following)
        adv[:, s] = torch.where(on, last, adv[:, s])
    return adv


@torch.no_grad()
def turn_gae(rewards, values, mask, gamma, lam, whiten="turns", value_at="state-end", episodes=None):
    """delta_h = r_h + gamma V_h+1 - V_h, A_h = delta_h + gamma lam A_h+1, R_h = A_h + V_h over turns.

    rewards, values, mask [B, T]; episodes: the rows of each episode in their order, where one has several.
    -> advantages and returns [B, T] at every token of a turn; returns are formed before whitening.
    """
    ids = turn_ids(mask)
    n = max(int(ids.max()) + 1, 1)
    count = per_turn(mask.double(), ids, n)
    r = turn_sums(rewards.double(), ids, n)
    v = per_turn(values.double() * value_mask(mask, value_at), ids, n)
    if episodes is None:
        adv = gae(r, v, count > 0, gamma, lam)
    else:  # the turns of an episode's rows in one line
        adv = torch.zeros_like(v)
        for rows in episodes:
            line = [x[rows].reshape(1, -1) for x in (r, v, count > 0)]
            adv[rows] = gae(*line, gamma, lam).reshape(len(rows), n)
    ret = torch.where(count > 0, adv + v, v)
    adv = whitened(adv, count, whiten)
    return spread(adv, ids).to(values.dtype), spread(ret, ids).to(values.dtype)


@torch.no_grad()
def turn_mean_gae(rewards, values, mask, gamma, lam, whiten="none"):
    """GAE over tokens, then its mean over each turn (the ST-PPO paper's Turn-PPO); returns are the tokens'."""
    ids = turn_ids(mask)
    n = max(int(ids.max()) + 1, 1)
    count = per_turn(mask.double(), ids, n)
    adv = gae(rewards.double(), values.double(), mask.bool(), gamma, lam)
    mean = whitened(per_turn(adv, ids, n) / count.clamp(min=1), count, whiten)
    return spread(mean, ids).to(values.dtype), (adv + values.double()).to(values.dtype)


# ---------------------------------------------------------------- policy loss
# Aggregation of Turnbook -> verl's mode, whether the loss stands on first tokens only, and whether only they count.
AGGREGATIONS = {
    None: (None, False, False),
    "turnsum-over-tokens": ("seq-mean-token-mean", True, False),
    "traj-turn-mean": ("seq-mean-token-mean", True, True),
}
LOSS_MODES = {
    f"{ratio}{'' if name is None else '/' + name}": (ratio, name)
    for ratio in ("turn_product", "turn_geomean")
    for name in AGGREGATIONS
}


def turn_log_ratio(d, mask, ids, n, ratio):
    """Log-ratios of tokens [B, T] -> of turns [B, n], by product or geometric mean."""
    if ratio == "turn_product":
        return per_turn(torch.clamp(d, -LIMIT, LIMIT) * mask, ids, n).clamp(-LIMIT, LIMIT)
    return (per_turn(d * mask, ids, n) / per_turn(mask, ids, n).clamp(min=1)).clamp(-LIMIT, LIMIT)


def turn_loss(d, advantages, response_mask, ratio, low, high, dual, rollout_is_weights=None):
    """The clipped surrogate of each turn, and what is told of it.

    d: log pi - log pi_old, advantages, response_mask [B, T] -> loss [B, n], turn ids [B, T], metrics.
    """
    ids = turn_ids(response_mask)
    n = max(int(ids.max()) + 1, 1)
    mask = response_mask.to(d.dtype)
    count = per_turn(mask, ids, n)
    some = count.clamp(min=1)
    w = torch.exp(turn_log_ratio(d, mask, ids, n, ratio))
    first = per_turn(advantages * turn_starts(response_mask), ids, n)
    adv = first + per_turn((advantages - spread(first, ids)) * mask, ids, n) / some
    free, held = -adv * w, -adv * torch.clamp(w, 1 - low, 1 + high)
    worst = torch.maximum(free, held)
    loss = torch.where(adv < 0, torch.minimum(worst, -adv * dual), worst)
    has = (count > 0).to(d.dtype)
    turns = has.sum().clamp(min=1)
    metrics = {
        "actor/pg_clipfrac": (((held > free).to(d.dtype) * has).sum() / turns).item(),
        "actor/ppo_kl": (-(d.clamp(-LIMIT, LIMIT) * mask).sum() / mask.sum().clamp(min=1)).item(),
        "actor/pg_clipfrac_lower": (((worst > -adv * dual) & (adv < 0)).to(d.dtype) * has).sum().item() / turns.item(),
        "actor/turn_ratio_max": (w * has).max().item(),
    }
    if rollout_is_weights is not None:
        loss = loss * per_turn(rollout_is_weights * mask, ids, n) / some
    return loss, ids, metrics


def aggregated(loss, ids, response_mask, aggregation, loss_agg_mode, agg_loss, **batch_info):
    """Turns' losses [B, n] -> one number; verl's modes count a turn's loss once for each of its tokens."""
    mode, at_first, count_first = AGGREGATIONS[aggregation]
    first = turn_starts(response_mask).to(loss.dtype)
    mat = spread(loss, ids) * (first if at_first else 1)
    counted = first if count_first else response_mask
    return agg_loss(loss_mat=mat, loss_mask=counted, loss_agg_mode=mode or loss_agg_mode, **batch_info)


def policy_loss(
    old_log_prob, log_prob, advantages, response_mask, loss_agg_mode="token-mean", config=None,
    rollout_is_weights=None, *, loss_mode, agg_loss,
):  # fmt: skip
    """A policy loss as verl registers it."""
    ratio, aggregation = LOSS_MODES[loss_mode]
    low = config.clip_ratio if config.clip_ratio_low is None else config.clip_ratio_low
    high = config.clip_ratio if config.clip_ratio_high is None else config.clip_ratio_high
    loss, ids, metrics = turn_loss(
        log_prob - old_log_prob, advantages, response_mask, ratio, low, high, config.get("clip_ratio_c", 3.0),
        rollout_is_weights,
    )  # fmt: skip
    info = getattr(config, "global_batch_info", None) or {}
    return aggregated(loss, ids, response_mask, aggregation, loss_agg_mode, agg_loss, **info), metrics


# ---------------------------------------------------------------- RAGEN (verl 0.6.1), called by ragen.patch
def is_turn_estimator(name):
    return str(name).split("/")[0] in ("turn_gae", "turn_mean_gae")


def ragen_advantage(data, name, gamma, lam):
    """Advantages and returns of RAGEN's batch, for the estimators of this file."""
    b = data.batch
    return estimate(name, b["token_level_rewards"], b["values"], b["response_mask"], gamma, lam)


def ragen_critic_batch(data, config):
    """The batch with which RAGEN's critic learns: of a turn critic, the tokens where a turn's value is read."""
    name = config.algorithm.adv_estimator
    if not is_turn_estimator(name):
        return data
    data = data.select(batch_keys=list(data.batch.keys()))  # a batch of its own
    data.batch["response_mask"] = value_mask(data.batch["response_mask"], split_name(name)[2])
    data.meta_info = {**data.meta_info, "value_loss_agg_mode": config.critic.loss_agg_mode}
    return data


def ragen_policy_loss(
    old_log_prob, log_prob, advantages, response_mask, cliprange=None, cliprange_low=None, cliprange_high=None,
    clip_ratio_c=3.0, loss_agg_mode="token-mean", loss_mode="vanilla",
):  # fmt: skip
    """In place of verl 0.6.1's compute_policy_loss: the same for its own modes."""
    from verl.trainer.ppo.core_algos import agg_loss, compute_policy_loss

    low = cliprange if cliprange_low is None else cliprange_low
    high = cliprange if cliprange_high is None else cliprange_high
    if loss_mode not in LOSS_MODES:
        return compute_policy_loss(
            old_log_prob, log_prob, advantages, response_mask, cliprange, low, high, clip_ratio_c, loss_agg_mode
        )
    ratio, aggregation = LOSS_MODES[loss_mode]
    loss, ids, m = turn_loss(log_prob - old_log_prob, advantages, response_mask, ratio, low, high, clip_ratio_c)
    total = aggregated(loss, ids, response_mask, aggregation, loss_agg_mode, agg_loss)
    told = [torch.tensor(m[f"actor/{key}"]) for key in ("pg_clipfrac", "ppo_kl", "pg_clipfrac_lower")]
    return (total, *told)


# ---------------------------------------------------------------- verl
class _Step:
    """What verl does not pass to an advantage estimator: of the batch that is being computed."""

    values = None
    extra = None  # rewards to add [B, T]
    episodes = None


def split_name(name):
    """turn_gae/turns/turn-end -> ("turn_gae", "turns", "turn-end")"""
    kind, whiten, *at = str(name).split("/")
    return kind, whiten, at[0] if at else ("state-end" if kind == "turn_gae" else "token")


def estimate(name, rewards, values, mask, gamma, lam, episodes=None):
    kind, whiten, at = split_name(name)
    if kind == "turn_mean_gae":
        return turn_mean_gae(rewards, values, mask, gamma, lam, whiten)
    return turn_gae(rewards, values, mask, gamma, lam, whiten, at, episodes)


def _registered_estimate(token_level_rewards, response_mask, config, *, name, **_):
    values, extra = _Step.values, _Step.extra
    if values is None:
        raise ValueError(f"algorithm.adv_estimator is {name}, which needs values: set critic.enable=true")
    if _Step.episodes is not None and not torch.equal(response_mask.bool(), _Step.mask.bool()):
        raise ValueError("algorithm.rollout_correction.rollout_rs takes tokens out of turns; a turn needs all of its own")
    rewards = token_level_rewards if extra is None else token_level_rewards + extra
    return estimate(name, rewards, values, response_mask, config.gamma, config.lam, _Step.episodes)


def _hook_core_algos(core):
    for mode in LOSS_MODES:
        core.register_policy_loss(mode)(partial(policy_loss, loss_mode=mode, agg_loss=core.agg_loss))
    for whiten in WHITENINGS:
        for name in (f"turn_gae/{whiten}", f"turn_gae/{whiten}/turn-end", f"turn_mean_gae/{whiten}"):
            core.register_adv_est(name)(partial(_registered_estimate, name=name))


def _hook_ray_trainer(module):
    """verl's compute_advantage has the values, and gives them to no registered estimator."""
    compute, trainer = module.compute_advantage, module.RayPPOTrainer
    update = getattr(trainer, "_update_critic", None)

    def compute_advantage(data, *args, **kwargs):
        _Step.values = data.batch["values"] if "values" in data.batch.keys() else None
        try:
            return compute(data, *args, **kwargs)
        finally:
            _Step.values = None

    def _update_critic(self, batch):
        name = self.config.algorithm.adv_estimator
        if not is_turn_estimator(name):
            return update(self, batch)
        kept = batch.batch["response_mask"]
        batch.batch["response_mask"] = value_mask(kept, split_name(name)[2])
        try:
            return update(self, batch)
        finally:
            batch.batch["response_mask"] = kept

    module.compute_advantage = compute_advantage
    if update is not None:
        trainer._update_critic = _update_critic


def rows_of_episodes(keys):
    """Rows of each episode in order; trainer V1's keys are {uid}_{session}_{output}."""
    rows = {}
    for i, key in enumerate(keys):
        uid, session, output = key.rsplit("_", 2)
        rows.setdefault((uid, session), []).append((int(output), i))
    return [[i for _, i in sorted(found)] for found in rows.values()]


def extra_rewards(field, extras, scores, mask, episodes):
    """What to add to verl's rewards [B, T]: rewards by turn, less the score that rows before the last repeat."""
    add = torch.zeros_like(scores)
    ends = turn_ends(mask)
    for rows in episodes:
        add[rows[:-1]] -= scores[rows[:-1]]
        if field is None or not bool(ends[rows].any()):
            continue
        places = [(b, t) for b in rows for t in ends[b].nonzero().flatten().tolist()]
        found = (extras[rows[-1]] or {}).get(field)
        if found is None or len(found) > len(places):
            raise ValueError(
                f"algorithm.turn_rewards is {field}; an episode with {len(places)} turn(s) has "
                f"{'none' if found is None else len(found)} of them, where one for each turn is allowed"
            )
        for (b, t), reward in zip(places, found):
            add[b, t] += reward
    return add


def _hook_trainer_v1(module):
    """Registers turnbook_MODE for each of verl's trainers."""
    from verl.trainer.ppo.v1 import trainer_base

    tq = trainer_base.tq

    def derived(mode, base):
        class TurnTrainer(base):
            def __init__(self, config, *args, **kwargs):
                config.trainer.v1.trainer_mode = mode  # verl branches on its own names
                super().__init__(config, *args, **kwargs)

            def _compute_advantage(self, batch, metrics):
                field = self.config.algorithm.get("turn_rewards", None)
                fields = ["response_mask", "rm_scores"] + ([] if field is None else ["extra_fields"])
                data = tq.kv_batch_get(keys=batch.keys, partition_id=batch.partition_id, select_fields=fields)
                extras = None if field is None else data.pop("extra_fields").tolist()
                data = data.to_padded_tensor()
                episodes = rows_of_episodes(batch.keys)
                _Step.mask, _Step.episodes = data["response_mask"], episodes
                _Step.extra = extra_rewards(field, extras, data["rm_scores"], data["response_mask"], episodes)
                try:
                    return super()._compute_advantage(batch, metrics)
                finally:
                    _Step.extra = _Step.episodes = _Step.mask = None

            def _update_critic(self, batch, metrics):
                """verl's value loss, over the tokens where a turn's value is read."""
                name = self.config.algorithm.adv_estimator
                if not is_turn_estimator(name):
                    return super()._update_critic(batch, metrics)
                where = {"keys": batch.keys, "partition_id": batch.partition_id}
                kept = tq.kv_batch_get(**where, select_fields=["response_mask", "loss_mask"])
                mask = kept["response_mask"]
                chosen = value_mask(mask.to_padded_tensor(0), split_name(name)[2])
                chosen = trainer_base.response_to_nested(chosen, mask)
                fields = trainer_base.TensorDict(
                    {"response_mask": chosen, "loss_mask": chosen}, batch_size=len(batch)
                )
                tq.kv_batch_put(**where, fields=fields)
                try:
                    return super()._update_critic(batch, metrics)
                finally:
                    tq.kv_batch_put(**where, fields=kept)

        TurnTrainer.__name__ = f"Turn{base.__name__}"
        return TurnTrainer

    for mode, base in list(trainer_base.TRAINER_REGISTRY.items()):
        trainer_base.register_trainer(f"turnbook_{mode}")(derived(mode, base))


HOOKS = {
    "verl.trainer.ppo.core_algos": _hook_core_algos,
    "verl.trainer.ppo.ray_trainer": _hook_ray_trainer,
    "verl.trainer.ppo.v1": _hook_trainer_v1,
}


class AfterImport(importlib.abc.MetaPathFinder):
    """Runs a hook when its module has been loaded, so that no process imports more of verl than it needs."""

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
                hook(module)

            spec.loader.exec_module = exec_module
        return spec


if importlib.util.find_spec("verl") is not None:
    AfterImport(HOOKS)
