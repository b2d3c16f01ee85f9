# Runs as root, in a mount namespace of its own: puts what the account $1 (its group is the same) needs where it can reach
# it, for our folders are closed to it, then becomes the rest of its arguments under that account. Before them stand pairs
# of a path and the name it is to have below /dev/net, up to a `--`.
set -eu
account=$1
shift
mkdir -p /dev/net
mount -t tmpfs -o size=64k,mode=755 simcha /dev/net
# The machine's own may be root's alone.
mknod -m 666 /dev/net/tun c 10 200
cd /dev/net
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mkdir "$2"; else : > "$2"; fi
  mount --bind "$1" "$2"
  shift 2
done
shift
cd /
exec setpriv --reuid "$account" --regid "$account" --clear-groups --inh-caps=-all --pdeathsig SIGKILL "$@"
