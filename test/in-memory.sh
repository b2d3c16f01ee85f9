#!/bin/sh
# test/in-memory.sh <command>: runs it with its temporary files in memory, where we may (as root) and there is room. Tests
# make and remove thousands of small files, which costs a disk's file system much more. In a mount namespace of the
# command's own, so that what is in memory goes with the last of its processes, however they end.

kib=1024
needed=$((8 * kib * kib))
available=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB$/\1/p' /proc/meminfo)
# A container may have less than its machine.
limit=$(cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null | grep -x '[0-9]*' | head -n 1)
folder=${TMPDIR:-/tmp}/simcha-in-memory-$$

if [ "${available:-0}" -lt "$needed" ] || [ $((${limit:-$((needed * kib))} / kib)) -lt "$needed" ] ||
  ! mkdir "$folder" 2>/dev/null; then
  exec "$@"
fi
if ! unshare --mount mount -t tmpfs simcha "$folder" 2>/dev/null; then
  rmdir "$folder"
  exec "$@"
fi
unshare --mount sh -c 'mount -t tmpfs simcha "$0" && TMPDIR=$0 exec "$@"' "$folder" "$@"
status=$?
rmdir "$folder"
exit $status
