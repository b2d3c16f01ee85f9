# Ends the commands of one server's strangers where the server has not said in time that they may go on, such as while it is frozen.
# $1, $2: folders, with a slash at their end, below which the homes of these commands are.
# Each line of the input is for how many seconds they may go on, or 0 for no end. At the end of the input the server is gone.

strike() {
  for pass in 1 2 3; do
    for file in $(grep -lzF -e "HOME=$1" -e "HOME=$2" /proc/[0-9]*/environ 2>/dev/null); do
      pid=${file#/proc/}
      kill -KILL "${pid%/environ}" 2>/dev/null
    done
  done
}

strike_in() {
  trap 'kill "$waiting" 2>/dev/null; exit' TERM
  sleep "$1" &
  waiting=$!
  wait "$waiting"
  strike "$2" "$3"
}

alarm=
while read -r seconds; do
  [ -z "$alarm" ] || kill -TERM "$alarm" 2>/dev/null
  alarm=
  [ "$seconds" = 0 ] && continue
  strike_in "$seconds" "$1" "$2" </dev/null &
  alarm=$!
done
[ -z "$alarm" ] || kill -TERM "$alarm" 2>/dev/null
