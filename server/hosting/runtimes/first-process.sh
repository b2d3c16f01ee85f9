# The first process of a container: runs the command $1, and ends as it does. Who is the first hears no SIGTERM by itself, and tells
# nobody: all of them are told. Nobody looks into a container of another machine: where it listens, as long as that is not where PORT
# says, is told by lines that begin with $2, if that is given.
/bin/sh -c -- "$1" &
child=$!
# Some shells say “Terminated” of what they wait for.
exec 2>/dev/null
asked=
trap 'asked=1; kill -TERM -1' TERM
listeners() {
  while read -r _ at _ state _; do
    # At 127.0.0.11 the engine answers for names.
    case $state:$at in
      0A:0B00007F:*) ;;
      0A:*) printf ' %d' "0x${at##*:}" ;;
    esac
  done 2>/dev/null <"$1"
}
if [ -n "${2-}" ] && [ -n "${PORT-}" ]; then
  (
    before=unknown
    turn=0
    while [ "$((turn += 1))" -le 60 ]; do
      sleep 1
      now="$(listeners /proc/net/tcp)$(listeners /proc/net/tcp6)"
      if [ "$now" != "$before" ]; then echo "$2 listens$now"; fi
      case "$now " in *" $PORT "*) exit ;; esac
      before=$now
    done
  ) &
fi
while true; do
  wait "$child"
  code=$?
  kill -0 "$child" || break
done
# With the first all others end at once: a shell hears it sooner than what it has started is done.
if [ -n "$asked" ]; then
  while kill -0 -1; do sleep 0.1 || sleep 1 || break; done
fi
exit "$code"
