# Runs in its own mount namespace, with the right to mount there: mounts the layer $2 over the folder $1 at $2/app, so
# that the layer takes all writes, then becomes the rest of its arguments. The layer is not used after the command, so
# nothing of it has to be synced to the disk (`volatile`); overlayfs stores its attributes in a way that is open to any
# user (`userxattr`).
set -eu
mount --bind "$1" "$2/app"
# Relative names: paths could hold the characters that separate mount options.
cd "$2"
mount -t overlay -o nosuid,nodev,userxattr,volatile,lowerdir=app,upperdir=upper,workdir=work overlay app
cd /
shift 2
exec "$@"
