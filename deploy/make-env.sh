#!/bin/sh
# Makes .env for docker-compose.yml, with a new password wherever one is asked for. What an .env that is there says already
# stays; what a newer .env.example asks for besides is added.
set -eu

usage() {
  echo "Usage: deploy/make-env.sh"
  echo
  echo "Makes .env, for docker-compose.yml, of .env.example, with a new password wherever one is asked for."
  echo "What an .env that is there says stays; what is missing is added. Prints names, no secrets."
}

case ${1-} in
  '') ;;
  -h | --help) usage; exit 0 ;;
  *) echo "deploy/make-env.sh: takes no $1" >&2; usage >&2; exit 2 ;;
esac

cd "$(dirname "$0")/.."
umask 077
command -v openssl >/dev/null || { echo "openssl is needed, to make passwords" >&2; exit 1; }
trap 'rm -f .env.new' EXIT

# A line with its secret, if it is one that asks for it.
filled() {
  case $1 in
    WEBHOOK_SECRETS=) echo "$1default=whsec_$(openssl rand -base64 32)" ;;
    *_PASSWORD=) echo "$1$(openssl rand -hex 24)" ;;
    *) printf '%s\n' "$1" ;;
  esac
}

# Names of the variables that a file sets, those left empty aside.
names() { sed -n 's/^\([A-Z_]*\)=..*/\1/p' "$1" | sort; }

was=kept
[ -e .env ] || { cp .env.example .env; was=new; }
while IFS= read -r line || [ -n "$line" ]; do filled "$line"; done <.env >.env.new
while IFS= read -r line; do
  case $line in
    [A-Z]*=) grep -q "^$line" .env.new || filled "$line" >>.env.new ;;
  esac
done <.env.example
added=$(names .env.new | while read -r name; do grep -q "^$name=." .env || echo " $name"; done | tr -d '\n')
mv .env.new .env

case $was$added in
  new*) echo "Wrote $PWD/.env, with new passwords. Next: docker compose up --build --detach --wait" ;;
  kept) echo "Kept $PWD/.env as it was: it has all that is asked for" ;;
  *) echo "Kept what $PWD/.env said, added:$added" ;;
esac
