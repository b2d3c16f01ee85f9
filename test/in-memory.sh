#!/bin/sh
# test/in-memory.sh <command>: runs it with its temporary files in memory, where we may (as root) and there is room. Tests
# make and remove thousands of small files, which costs a disk's file system five times as much. In a mount namespace of the
# command's own, so that what is in memory goes with the last of its processes, however they end.

needed=$((8 * 1024 * 1024))
available=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB$/\1/p' /proc/meminfo)
folder=${TMPDIR:-/tmp}/simcha-in-memory
if [ "${available:-0}" -ge "$needed" ] && mkdir -p "$folder" &&
  unshare --mount mount -t tmpfs simcha "$folder" 2>/dev/null; then
  exec unshare --mount sh -c 'mount -t tmpfs simcha "$0" && TMPDIR=$0 exec "$@"' "$folder" "$@"
fi
exec "$@"
