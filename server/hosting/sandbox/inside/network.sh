# Runs in the new network, as the one who may set it up: closes the ways that $1 names, a line each for ip(8). Then it says so,
# by an empty line, and stays for as long as the server does.
set -eu
printf '%s\n' "$1" | ip -batch -
# The kernel counts these by account, which all sites share: each has a part of them and not all (user_namespaces(7), where
# /proc may be written to).
{
  echo 32 >/proc/sys/user/max_inotify_instances
  echo 8192 >/proc/sys/user/max_inotify_watches
} 2>/dev/null || :
echo
exec cat <&1 >/dev/null
