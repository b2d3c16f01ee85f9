# Runs as root in its own mount namespace: makes files reachable for the account $1 at their own paths, although folders
# above them are closed to it, then becomes the command under that account. Arguments after $1: the closed folders, each
# of which is replaced by an empty one; `--`; pairs of a source path and a target path; `--`; the command.
set -eu
account=$1
shift
mask=$(umask)
umask 022
mkdir -p /dev/net
# A copy of the whole file system, where the sources stay visible after the folders are closed.
mount --rbind / /dev/net
while [ "$1" != -- ]; do
  mount -t tmpfs -o size=64k,mode=755 simcha "$1"
  shift
done
shift
while [ "$1" != -- ]; do
  if [ -d "/dev/net$1" ]; then mkdir -p "$2"; else mkdir -p "${2%/*}"; [ -e "$2" ] || : > "$2"; fi
  mount --bind "/dev/net$1" "$2"
  shift 2
done
shift
umount -l /dev/net
umask "$mask"
exec setpriv --reuid "$account" --regid "$account" --clear-groups --inh-caps=-all --no-new-privs "$@"
