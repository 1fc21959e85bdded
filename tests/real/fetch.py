"""Debian source packages: fetched with the machine's own apt configuration, verified, unpacked into a cache folder.

Nothing of the machine's configuration is changed: source entries are derived into a private file, and apt gets private
state and cache folders.
"""

import functools
import glob
import hashlib
import os
import pathlib
import re
import shutil
import subprocess


class FetchError(Exception):
    """Says what was tried and what the user can do."""


class Archive:
    def __init__(self, cache: pathlib.Path):
        self.apt = cache / "apt"
        self.download = cache / "download"
        self.source = cache / "source"

    def unpacked(self, package: str, prepare) -> pathlib.Path:
        """The folder with the package's source, patched as Debian patches it and made ready to be built."""
        found = self._described(package)
        for dsc in found or self._fetched(package):
            folder = self.source / dsc.stem
            if not (folder / ".ready").exists():
                verify(dsc)
                shutil.rmtree(folder, ignore_errors=True)
                self.source.mkdir(parents=True, exist_ok=True)
                # The checksums are verified above; the signer's key need not be on this machine.
                run(["dpkg-source", "--no-check", "-x", str(dsc), str(folder)])
                prepare(folder)
                (folder / ".ready").touch()
            return folder
        raise FetchError(f"no source package {package}")

    def _described(self, package: str) -> list[pathlib.Path]:
        return sorted(self.download.glob(f"{glob.escape(package)}_*.dsc"), reverse=True)

    def _fetched(self, package: str) -> list[pathlib.Path]:
        """Newest version first; a mirror may list a version that it no longer has."""
        self.download.mkdir(parents=True, exist_ok=True)
        said = ""
        for version in self._versions(package):
            command = ["apt-get", *self._options, "source", "--download-only", "-q", f"{package}={version}"]
            done = subprocess.run(command, cwd=self.download, capture_output=True, text=True)
            if done.returncode == 0:
                return self._described(package)
            said = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "apt-get failed"
            for dsc in self._described(package):
                dsc.unlink()
        raise FetchError(f"cannot fetch the source of {package}: {said or 'apt lists no source package of that name'}")

    def _versions(self, package: str) -> list[str]:
        command = ["apt-cache", *self._options, "showsrc", "--only-source", package]
        listed = subprocess.run(command, capture_output=True, text=True).stdout
        versions = set(re.findall(r"^Version: (\S+)", listed, re.M))
        older = functools.cmp_to_key(
            lambda a, b: -1 if subprocess.run(["dpkg", "--compare-versions", a, "lt", b]).returncode == 0 else 1
        )
        return sorted(versions, key=older, reverse=True)

    @functools.cached_property
    def _options(self) -> list[str]:
        for folder in ("state/lists/partial", "cache/archives/partial"):
            (self.apt / folder).mkdir(parents=True, exist_ok=True)
        entries = self.apt / "entries.sources"
        entries.write_text(source_entries())
        options = [
            "-o", f"Dir::Etc::sourcelist={entries}", "-o", "Dir::Etc::sourceparts=-",
            "-o", f"Dir::State={self.apt}/state", "-o", f"Dir::Cache={self.apt}/cache",
            "-o", "APT::Sandbox::User=root",
        ]
        done = subprocess.run(["apt-get", *options, "update", "-q", "--error-on=any"], capture_output=True, text=True)
        if done.returncode != 0:
            raise FetchError(
                "cannot reach the Debian mirror that this machine's apt is set up with. Connect the machine, or copy"
                f" the .dsc and .tar files of the packages into {self.download}"
            )
        return options


def source_entries() -> str:
    """The machine's binary entries, turned into source entries in the deb822 format."""
    stanzas = []
    for path in glob.glob("/etc/apt/sources.list.d/*.sources"):
        text = pathlib.Path(path).read_text()
        stanzas.append(re.sub(r"^Types:.*$", "Types: deb-src", text, flags=re.M).strip())
    for path in ["/etc/apt/sources.list", *glob.glob("/etc/apt/sources.list.d/*.list")]:
        lines = pathlib.Path(path).read_text().splitlines() if os.path.exists(path) else []
        for line in lines:
            entry = re.match(r"deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s+(.*)", line.strip())
            if entry:
                options, uri, suite, components = entry.groups()
                signed = re.search(r"signed-by=(\S+)", options or "")
                stanzas.append(
                    f"Types: deb-src\nURIs: {uri}\nSuites: {suite}\nComponents: {components}"
                    + (f"\nSigned-By: {signed.group(1)}" if signed else "")
                )
    if not stanzas:
        raise FetchError("no apt entry to derive a source entry from in /etc/apt")
    return "\n\n".join(stanzas) + "\n"


def verify(dsc: pathlib.Path) -> None:
    """Every file that the description names has the size and the SHA-256 that it names."""
    section = re.search(r"^Checksums-Sha256:\s*\n((?:[ \t]+.*\n)+)", dsc.read_text(), re.M)
    if not section:
        raise FetchError(f"{dsc} lists no SHA-256 checksums")
    for line in section.group(1).splitlines():
        expected, size, name = line.split()
        path = dsc.parent / name
        data = path.read_bytes() if path.exists() else b""
        if len(data) != int(size) or hashlib.sha256(data).hexdigest() != expected:
            raise FetchError(f"{path} is missing or does not have the checksum that {dsc.name} names; remove it and try again")


def install(packages: list[str]) -> None:
    """By apt, what is not there yet."""
    query = ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *packages]
    listed = subprocess.run(query, capture_output=True, text=True).stdout
    missing = [name for name in packages if f"{name} installed" not in listed.splitlines()]
    if not missing:
        return
    command = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *missing]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
    if done.returncode != 0:
        raise FetchError(f"cannot install what the packages need to build; as root: apt-get install {' '.join(missing)}")


def run(command: list[str], **how) -> None:
    done = subprocess.run(command, capture_output=True, text=True, **how)
    if done.returncode != 0:
        raise FetchError(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
