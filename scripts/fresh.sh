#!/usr/bin/env bash
# Runs README's commands on a machine that has nothing but a minimal Debian, Go,
# make and CA certificates, so that an undeclared dependency is noticed.
#
#   scripts/fresh.sh [demo|test] [root|user]
#
# demo, test   the make target; test by default
# root, user   the user that runs it: root, for whom the target installs what is missing,
#              or an ordinary user without sudo, for whom it must print the apt-get line
#              that root then runs unchanged; by default both, one after the other
#
# The commit that is checked out is cloned; what is not committed is not tested. The
# root file system is made by debootstrap, with the mirror and the keys of this
# machine's apt, and kept as a tar archive below ${LOOM_FRESH_CACHE:-~/.cache/loom-fresh}
# between runs. Needs root, Debian's debootstrap and git.
#
# Exit status: that of the command under test, 2 usage, 3 no fresh root can be made.
set -euo pipefail

say() { echo "fresh: $*" >&2; }
fail() { say "$1"; exit "${2:-3}"; }

target="test"
who=
for arg in "$@"; do
    case "$arg" in
    demo | test) target=$arg ;;
    root | user) who=$arg ;;
    *) fail "unknown argument '$arg'; usage: scripts/fresh.sh [demo|test] [root|user]" 2 ;;
    esac
done

top=$(cd "$(dirname "$0")/.." && pwd)
[ "$(id -u)" = 0 ] || fail "making a root file system takes root; run it as root, or run: make $target"
for tool in debootstrap git unshare pivot_root; do
    command -v "$tool" >/dev/null || fail "$tool is not installed; install it with: apt-get install debootstrap git util-linux mount"
done
goroot=$(go env GOROOT) || fail "Go is not installed"
# shellcheck source=/dev/null
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
arch=$(dpkg --print-architecture)

# What apt reads on this machine, one "address suite component" a line, Debian's alone.
sources=$(apt-get indextargets --format '$(ORIGIN)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)' 'Created-By: Packages' |
    sed -n 's/^Debian|\([^|]*\)|\([^|]*\)|\([^|]*\)$/\1 \2 \3/p' | sort -u)
mirror=$(printf '%s\n' "$sources" | awk -v suite="$suite" '$2 == suite { print $1; exit }')
[ -n "$mirror" ] || fail "apt knows no Debian mirror for '$suite'; run apt-get update first"

work=$(mktemp -d "${TMPDIR:-/tmp}/loom-fresh.XXXXXX")
# The mounts live in a name space of their own and are gone before this runs.
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT TERM

archive=${LOOM_FRESH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/loom-fresh}/$suite-$arch-1.tar
mkdir -p "$(dirname "$archive")"
if [ -n "$(find "$archive" -mtime -30 2>/dev/null)" ]; then
    say "the root is that of $archive"
else
    say "making a minimal Debian $suite with debootstrap"
    debootstrap --variant=minbase --include=ca-certificates,make \
        --keyring=/usr/share/keyrings/debian-archive-keyring.gpg "$suite" "$work/root" "$mirror" >"$work/debootstrap.log" 2>&1 ||
        { tail -n 20 "$work/debootstrap.log" >&2; fail "debootstrap failed"; }
    {
        echo "# The packages of the machine that made this root."
        printf '%s\n' "$sources" | sed 's/^/deb /'
    } >"$work/root/etc/apt/sources.list"
    apt-config dump | grep -E '^Acquire::(https?|ftp|Check-Valid-Until|Check-Date|Retries)' >"$work/root/etc/apt/apt.conf.d/90machine" || true
    for ca in /usr/local/share/ca-certificates/*.crt; do
        if [ -e "$ca" ]; then cp "$ca" "$work/root/usr/local/share/ca-certificates/"; fi
    done
    chroot "$work/root" update-ca-certificates >/dev/null 2>&1
    rm -rf "$work/root"/var/cache/apt/archives/*.deb
    tar -C "$work/root" -cf "$archive.$$" . && mv "$archive.$$" "$archive"
    rm -rf --one-file-system "$work/root"
fi

commit=$(git -C "$top" rev-parse --short HEAD)
[ -z "$(git -C "$top" status --porcelain)" ] || say "uncommitted changes are left out: this tests $commit"

# inside USER COMMAND: runs a shell command in the root as if the machine had just
# been switched on: name spaces of its own for mounts and processes, no network but
# the machine's, and no variables except those that name registries and proxies.
inside() {
    local user=$1 home=/root setting
    [ "$user" = root ] || home=/home/$user
    local environment=("HOME=$home" "USER=$user" "PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        LANG=C.UTF-8 TERM=dumb CI=true "DEBIAN_FRONTEND=noninteractive")
    for setting in GOPROXY GOSUMDB GONOSUMDB GONOSUMCHECK GOPRIVATE; do
        environment+=("$setting=$(go env "$setting")")
    done
    for setting in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
        [ -z "${!setting:-}" ] || environment+=("$setting=${!setting}")
    done
    unshare --mount --pid --fork --kill-child --propagation private \
        env -i "${environment[@]}" sh -eu -c '
            root=$1 goroot=$2 user=$3 home=$4 command=$5
            mount --bind "$root" "$root"
            mkdir -p "$root/usr/local/go" "$root/.outside"
            mount --bind "$goroot" "$root/usr/local/go"
            mount -o remount,bind,ro "$root/usr/local/go"
            mount -t proc proc "$root/proc"
            mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
            mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
            ln -sf pts/ptmx "$root/dev/ptmx"
            cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
            cd "$root"
            pivot_root . .outside
            umount -l /.outside
            cd "$home/loom"
            exec setpriv --reuid "$user" --regid "$user" --init-groups sh -c "$command"
        ' fresh "$work/root" "$goroot" "$user" "$home" "$2" </dev/null
}

# lay: unpacks a root of its own and clones the commit into the home of $1.
lay() {
    local user=$1 home=/root
    rm -rf --one-file-system "$work/root"
    mkdir "$work/root"
    tar -C "$work/root" -xf "$archive"
    if [ "$user" != root ]; then
        home=/home/$user
        chroot "$work/root" useradd --create-home --shell /bin/sh "$user"
    fi
    git clone -q --no-local "$top" "$work/root$home/loom"
    git -C "$work/root$home/loom" checkout -q "$(git -C "$top" rev-parse HEAD)"
    chroot "$work/root" chown -R "$user:$user" "$home/loom"
}

# as_root runs the target as root, which needs nothing else.
as_root() {
    say "make $target as root, at $commit"
    lay root
    inside root "make $target"
}

# as_user runs the target as a user without sudo: first it has to name the apt-get
# line, then root runs that line, then it has to pass.
as_user() {
    local line
    say "make $target as an ordinary user without sudo, at $commit"
    lay builder
    if inside builder "make $target" >"$work/refused.log" 2>&1; then
        cat "$work/refused.log"
        fail "make $target passed although nothing was installed" 1
    fi
    line=$(sed -n 's/^ *\(apt-get update .*apt-get install .*\)$/\1/p' "$work/refused.log" | tail -n 1)
    if [ -z "$line" ]; then
        cat "$work/refused.log"
        fail "make $target does not print the apt-get line that installs what it needs" 1
    fi
    say "root runs the line it printed: $line"
    mkdir -p "$work/root/root/loom"
    inside root "$line" >"$work/install.log" 2>&1 || { tail -n 20 "$work/install.log"; fail "this line fails" 1; }
    inside builder "make $target"
}

case "$who" in
root) as_root ;;
user) as_user ;;
*)
    as_root
    as_user
    ;;
esac
