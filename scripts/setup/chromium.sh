#!/bin/sh
# Chromium for journeys, without the two pages that render its address bar's suggestions: each new window loads them
# invisibly, for half of the cost of opening it. Playwright disables features itself, and of two such lists only the last
# one counts, so these are added to Playwright's list.
for argument; do
  shift
  case $argument in
    --disable-features=*) argument="$argument,WebUIOmniboxPopup,WebUIOmniboxAimPopup" ;;
  esac
  set -- "$@" "$argument"
done
exec "$CHROMIUM_PATH" "$@"
