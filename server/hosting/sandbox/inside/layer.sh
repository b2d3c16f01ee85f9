# Runs in a mount namespace of its own, as the one who may mount there: puts over the folder $1 the layer $2, which takes all
# that is written to it, as $2/app, then becomes the rest of its arguments. The layer ends with those who see it, so nothing
# of it has to reach the disk (`volatile`); what overlayfs notes with its files it notes as any user may (`userxattr`).
set -eu
mount --bind "$1" "$2/app"
# By names that hold none of what stands between options.
cd "$2"
mount -t overlay -o nosuid,nodev,userxattr,volatile,lowerdir=app,upperdir=upper,workdir=work overlay app
cd /
shift 2
exec "$@"
