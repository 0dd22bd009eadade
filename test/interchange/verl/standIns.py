"""Stand-ins with which verl's own files run on a processor with torch 1.13 and nothing else.

What is here is not verl's: ray, the worker groups and rollout servers (vllm), and packages that are not
installed. Of these, tensordict, transfer_queue, omegaconf and torch 2's jagged tensors do what verl asks of them;
the others only have names. A package that is installed is used.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import sys
import time
import types

import torch

# Only names of these are used on the path that is run.
NAMED = (
    "ray vllm torchdata hydra packaging tqdm transformers pandas datasets pydantic aiohttp orjson dill "
    "flash_attn psutil cachetools numba PIL peft accelerate wandb yaml requests uvicorn fastapi zmq msgspec"
).split()
# verl's own modules on the other side of the worker groups.
WORKERS = (
    "verl.checkpoint_engine verl.experimental verl.single_controller.ray verl.workers.engine_workers "
    "verl.workers.engine verl.workers.rollout verl.models"
).split()


class Anything(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **_: args[0] if len(args) == 1 and callable(args[0]) else (lambda f=None: f)


class Named(types.ModuleType):
    """A module in which every name is a class that does nothing."""

    __version__ = "9.9"
    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = Anything(
            name,
            (),
            {
                "__init__": lambda self, *_, **__: None,
                "__class_getitem__": classmethod(lambda cls, _: cls),
                "__call__": lambda self, f=None, *_, **__: f,
                "update": lambda self, *_: None,
                "close": lambda self: None,
            },
        )
        setattr(self, name, made)
        return made


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    used = set()

    def find_spec(self, name, path=None, target=None):
        whole = any(name == w or name.startswith(w + ".") for w in WORKERS)
        if not whole and name.split(".")[0] not in NAMED:
            return None
        if not whole and "." not in name and importlib.machinery.PathFinder.find_spec(name):
            return None
        self.used.add(name if whole else name.split(".")[0])
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return Named(spec.name)

    def exec_module(self, module):
        pass


def module(name, **content):
    made = sys.modules[name] = types.ModuleType(name)
    made.__dict__.update(content)
    Finder.used.add(name)
    return made


# ---------------------------------------------------------------- torch 2's jagged tensors
class Jagged:
    is_nested = True

    def __init__(self, rows):
        self.rows = list(rows)
        self.device = self.rows[0].device

    def values(self):
        return torch.cat(self.rows)

    def offsets(self):
        return torch.tensor([0] + [len(r) for r in self.rows]).cumsum(0)

    def to_padded_tensor(self, padding=0):
        return torch.nn.utils.rnn.pad_sequence(self.rows, batch_first=True, padding_value=padding)

    def sum(self, dim=None):
        return self.values().sum() if dim is None else torch.stack([r.sum() for r in self.rows])


def jagged_layout():
    if not hasattr(torch.optim.lr_scheduler, "LRScheduler"):  # torch 2's name
        torch.optim.lr_scheduler.LRScheduler = torch.optim.lr_scheduler._LRScheduler
    if hasattr(torch, "jagged"):
        return
    torch.jagged = "jagged"
    nested = getattr(torch, "nested", None) or types.SimpleNamespace()
    nested.as_nested_tensor = lambda rows, layout=None: Jagged(rows)
    nested.nested_tensor = nested.as_nested_tensor
    torch.nested = nested
    Finder.used.add("torch.jagged")


# ---------------------------------------------------------------- tensordict
class NonTensorData:
    def __init__(self, data=None, *_, **__):
        self.data = data

    def tolist(self):
        return self.data


class NonTensorStack:
    def __init__(self, *items):
        self.items = [x.data if isinstance(x, NonTensorData) else x for x in items]

    @classmethod
    def from_list(cls, items):
        return cls(*items)

    def tolist(self):
        return list(self.items)

    def __iter__(self):
        return iter(self.items)

    def __len__(self):
        return len(self.items)


class TensorDict:
    def __init__(self, source=None, batch_size=None, device=None, **_):
        self.data = dict(source or {})
        size = batch_size if batch_size is not None else ()
        self.batch_size = (size,) if isinstance(size, int) else tuple(size)
        self.device = device

    shape = property(lambda self: self.batch_size)

    def __len__(self):
        return self.batch_size[0]

    def __contains__(self, key):
        return key in self.data

    def __getitem__(self, key):
        found = self.data[key]
        return found.data if isinstance(found, NonTensorData) else found

    def __setitem__(self, key, value):
        self.data[key] = value

    def get(self, key, default=None):
        return self[key] if key in self.data else default

    def pop(self, key, default=None):
        found = self.get(key, default)
        self.data.pop(key, None)
        return found

    def keys(self):
        return self.data.keys()

    def items(self):
        return self.data.items()

    def select(self, *keys):
        return TensorDict({k: self.data[k] for k in keys}, self.batch_size, self.device)

    def to_padded_tensor(self, padding=0):
        pad = lambda v: v.to_padded_tensor(padding) if isinstance(v, Jagged) else v
        return TensorDict({k: pad(v) for k, v in self.items()}, self.batch_size, self.device)


# ---------------------------------------------------------------- transfer_queue
class KVBatchMeta:
    def __init__(self, keys=(), tags=None, partition_id="train", fields=None, extra_info=None):
        self.keys, self.partition_id, self.fields = list(keys), partition_id, fields
        self.tags = list(tags) if tags is not None else [{} for _ in self.keys]
        self.extra_info = extra_info or {}

    def __len__(self):
        return len(self.keys)

    def reorder(self, order):
        self.keys, self.tags = [self.keys[i] for i in order], [self.tags[i] for i in order]


class Queue:
    """One dictionary for all: partition -> key -> (fields, tag)."""

    def __init__(self):
        self.parts = {}

    def put(self, keys, partition_id, fields=None, tags=None):
        part = self.parts.setdefault(partition_id, {})
        for i, key in enumerate(keys):
            held, tag = part.setdefault(key, ({}, {}))
            if tags is not None:
                tag.update(tags[i])
            for name, column in (fields.items() if fields is not None else ()):
                rows = column.rows if isinstance(column, Jagged) else getattr(column, "items", column)
                held[name] = rows[i]
        return KVBatchMeta(keys, [part[key][1] for key in keys], partition_id)

    def get(self, keys, partition_id, select_fields=None):
        rows = [self.parts[partition_id][key][0] for key in keys]
        names = [n for n in (select_fields or rows[0]) if all(n in row for row in rows)]
        columns = {n: [row[n] for row in rows] for n in names}
        stack = lambda c: Jagged(c) if isinstance(c[0], torch.Tensor) and c[0].dim() else NonTensorStack(*c)
        return TensorDict({n: stack(c) for n, c in columns.items()}, len(keys))

    def list(self, partition_id=None):
        return {p: {k: tag for k, (_, tag) in part.items()} for p, part in self.parts.items()}

    def clear(self, keys, partition_id):
        for key in keys:
            self.parts[partition_id].pop(key, None)


# ---------------------------------------------------------------- omegaconf
class DictConfig(dict):
    def __init__(self, content=None):
        super().__init__({k: wrapped(v) for k, v in (content or {}).items()})

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self.get(name)

    def __setattr__(self, name, value):
        self[name] = value


def selected(config, path, default=None, **_):
    for name in path.split("."):
        config = config.get(name) if isinstance(config, dict) else None
    return default if config is None else config


def wrapped(value):
    return DictConfig(value) if isinstance(value, dict) else value


class Timer:
    def __init__(self, *_, **__):
        self.last = 0.0

    def __enter__(self):
        self.start = time.perf_counter()
        return self

    def __exit__(self, *_):
        self.last = time.perf_counter() - self.start


def install(source):
    """verl's files from the folder `source`, what they import from here."""
    jagged_layout()
    queue = Queue()
    td = module(
        "tensordict",
        TensorDict=TensorDict,
        NonTensorData=NonTensorData,
        NonTensorStack=NonTensorStack,
        set_lazy_legacy=lambda _: types.SimpleNamespace(set=lambda: None),
        __version__="0.10.0",
        __path__=[],
    )
    td.tensorclass = module("tensordict.tensorclass", NonTensorData=NonTensorData, NonTensorStack=NonTensorStack)
    module(
        "transfer_queue",
        KVBatchMeta=KVBatchMeta,
        BatchMeta=type("BatchMeta", (), {}),
        kv_batch_put=queue.put,
        kv_batch_get=queue.get,
        kv_list=queue.list,
        kv_clear=queue.clear,
        __version__="0.1.8",
        **{n: None for n in ("async_kv_put", "async_kv_batch_put", "async_kv_batch_get", "init", "close")},
    )
    conf = types.SimpleNamespace(
        to_container=lambda c, **_: c, select=selected, create=wrapped, set_struct=lambda *_: None
    )
    module(
        "omegaconf", DictConfig=DictConfig, OmegaConf=conf, ListConfig=list, open_dict=lambda c: None, MISSING="???", __path__=[]
    )
    if importlib.util.find_spec("codetiming") is None:
        module("codetiming", Timer=Timer)
    sys.meta_path.insert(0, Finder())
    sys.path.insert(0, source)
    return queue
