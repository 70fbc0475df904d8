import { setFlagsFromString } from 'node:v8'

/** V8's default. */
const USUAL_GROWTH = 2

/**
 * A starting process produces much short-lived garbage, and V8 then enlarges the new space as far as a busy server
 * needs, about 30 MB that an idle one never gives back. Until the returned function is called, that space keeps its
 * initial size; from then on it grows with the load, as usual.
 */
export function startSmall(): () => void {
  setFlagsFromString('--semi-space-growth-factor=1')
  return () => setFlagsFromString(`--semi-space-growth-factor=${USUAL_GROWTH}`)
}
