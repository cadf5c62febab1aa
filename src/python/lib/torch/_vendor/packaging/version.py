"""torch._vendor.packaging.version: versions and their order, as PEP 440 defines them."""

import functools
import re

_PATTERN = re.compile(
    r"""\s*v?(?:(?P<epoch>\d+)!)?(?P<release>\d+(?:\.\d+)*)
    (?:[-_.]?(?P<pre>alpha|a|beta|b|preview|pre|c|rc)[-_.]?(?P<pre_n>\d*))?
    (?P<post>-(?P<post_n1>\d+)|[-_.]?(?:post|rev|r)[-_.]?(?P<post_n2>\d*))?
    (?P<dev>[-_.]?dev[-_.]?(?P<dev_n>\d*))?
    (?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?\s*""",
    re.VERBOSE | re.IGNORECASE,
)
_SPELLED = {"alpha": "a", "beta": "b", "c": "rc", "pre": "rc", "preview": "rc"}
_LOWEST, _HIGHEST = (-1,), (2,)  # below and above every part of a key, which are (0, …) and (1, …)


class InvalidVersion(ValueError):
    pass


@functools.total_ordering
class Version:
    def __init__(self, version):
        found = _PATTERN.fullmatch(version)
        if found is None:
            raise InvalidVersion(f"Invalid version: {version!r}")
        part = found.groupdict()
        self.epoch = int(part["epoch"] or 0)
        self.release = tuple(int(n) for n in part["release"].split("."))
        name = (part["pre"] or "").lower()
        self.pre = (_SPELLED.get(name, name), int(part["pre_n"] or 0)) if name else None
        self.post = int(part["post_n1"] or part["post_n2"] or 0) if part["post"] else None
        self.dev = int(part["dev_n"] or 0) if part["dev"] else None
        self.local = re.sub("[-_]", ".", part["local"].lower()) if part["local"] else None

    @property
    def _key(self):
        release = self.release
        while len(release) > 1 and release[-1] == 0:
            release = release[:-1]
        unnumbered = _LOWEST if self.post is None and self.dev is not None else _HIGHEST
        pre = unnumbered if self.pre is None else (0, *self.pre)
        post = _LOWEST if self.post is None else (0, self.post)
        dev = _HIGHEST if self.dev is None else (0, self.dev)
        local = (
            ()
            if self.local is None
            else tuple((1, int(s), "") if s.isdigit() else (0, 0, s) for s in self.local.split("."))
        )
        return self.epoch, release, pre, post, dev, self.local is not None, local

    def __eq__(self, other):
        return self._key == other._key if isinstance(other, Version) else NotImplemented

    def __lt__(self, other):
        return self._key < other._key if isinstance(other, Version) else NotImplemented

    def __hash__(self):
        return hash(self._key)

    @property
    def base_version(self):
        return (f"{self.epoch}!" if self.epoch else "") + ".".join(map(str, self.release))

    @property
    def public(self):
        return str(self).partition("+")[0]

    @property
    def is_prerelease(self):
        return self.dev is not None or self.pre is not None

    @property
    def is_postrelease(self):
        return self.post is not None

    @property
    def is_devrelease(self):
        return self.dev is not None

    @property
    def major(self):
        return self.release[0]

    @property
    def minor(self):
        return self.release[1] if len(self.release) > 1 else 0

    @property
    def micro(self):
        return self.release[2] if len(self.release) > 2 else 0

    def __str__(self):
        pre = f"{self.pre[0]}{self.pre[1]}" if self.pre else ""
        post = "" if self.post is None else f".post{self.post}"
        dev = "" if self.dev is None else f".dev{self.dev}"
        return self.base_version + pre + post + dev + (f"+{self.local}" if self.local else "")

    def __repr__(self):
        return f"<Version('{self}')>"


def parse(version):
    return Version(version)
