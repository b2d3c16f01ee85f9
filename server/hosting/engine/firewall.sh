# Packet filter on the engine's machine, run with NET_ADMIN for as long as the engine runs: blocks new connections from
# devices whose names begin with $1 to this machine and to closed networks. $2 lists networks, one a line, such as
# "allow 192.168.7.0/24", the narrowest first. $3 is the engine, docker or podman. $4, if given, replaces $1 in the
# names of chains. $5, if given, is a folder that exists while the filter is up; it must be in a place that is empty
# when the machine starts.
set -eu
devices=$1+
through=SIMCHA-${4-$1}
into=$through-IN
filter() { iptables --wait "$@"; }
rules() {
  printf '%s\n' '*filter' ":$through - [0:0]" ":$into - [0:0]"
  for chain in "$through" "$into"; do
    echo "-A $chain -m conntrack --ctstate ESTABLISHED,RELATED -j RETURN"
    # Name servers stay reachable: the engine asks them on behalf of its containers.
    sed -n 's/^nameserver  *\([0-9.]*\) *$/\1/p' /etc/resolv.conf /run/systemd/resolve/resolv.conf 2>/dev/null | sort -u |
      while read -r server; do
        for protocol in udp tcp; do echo "-A $chain -d $server -p $protocol --dport 53 -j RETURN"; done
      done
  done
  printf '%s\n' "$1" | while read -r action network; do
    [ -n "$network" ] || continue
    case $action in
      allow) echo "-A $through -d $network -j RETURN" ;;
      block) echo "-A $through -d $network -j REJECT --reject-with icmp-net-prohibited" ;;
    esac
    # This machine's own addresses can be allowed one at a time only, not by a wider network.
    case "$action $network" in "allow "*/32) echo "-A $into -d $network -j RETURN" ;; esac
  done
  echo "-A $into -j REJECT --reject-with icmp-host-prohibited"
  echo COMMIT
}
jump() { filter -C "$1" -i "$devices" -j "$2" 2>/dev/null || filter -I "$1" -i "$devices" -j "$2"; }
# Podman inserts this rule before all others with its first network, unless it exists, and it lets everything through.
podmans() { filter "$1" FORWARD -m comment --comment 'netavark firewall plugin rules' -j NETAVARK_FORWARD 2>/dev/null; }
foremost() {
  filter -S FORWARD | sed -n 's/^-A FORWARD .*-j \([^ ]*\)$/\1/p' | grep -Fx -e "$through" -e NETAVARK_FORWARD | head -n 1
}
first() {
  filter -N NETAVARK_FORWARD 2>/dev/null || :
  podmans -C || podmans -A
  if [ "$(foremost)" != "$through" ]; then
    filter -I FORWARD -i "$devices" -j "$through"
  fi
}
close() {
  if [ "$3" = podman ]; then
    jump FORWARD "$through"
    first
  else
    # Docker puts its own rules before all others whenever it starts; DOCKER-USER is the chain that it leaves to
    # administrators.
    base=FORWARD
    if filter -n -L DOCKER-USER >/dev/null 2>&1; then base=DOCKER-USER; fi
    jump "$base" "$through"
  fi
  jump INPUT "$into"
}
standing() { { filter -S "$through" && filter -S "$into"; } 2>/dev/null || :; }
known=
stood=
while true; do
  now=$(rules "$2")
  if [ "$now" != "$known" ] || [ "$(standing)" != "$stood" ]; then
    printf '%s\n' "$now" | iptables-restore --wait --noflush
    known=$now
    stood=$(standing)
  fi
  close "$@"
  if [ -n "${5:-}" ]; then mkdir -p "$5"; fi
  if [ -z "${told:-}" ]; then
    echo closed
    told=1
  fi
  sleep 5
done
