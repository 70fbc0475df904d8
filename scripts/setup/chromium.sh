#!/bin/sh
# Chromium for journeys, without the two pages that it draws its address bar's suggestions with: each new window loads them,
# unseen, for half of what opening it costs. Playwright names features to leave out itself, and of two such lists the last one
# counts, so these are added to its own.
for argument; do
  shift
  case $argument in
    --disable-features=*) argument="$argument,WebUIOmniboxPopup,WebUIOmniboxAimPopup" ;;
  esac
  set -- "$@" "$argument"
done
exec "$CHROMIUM_PATH" "$@"
