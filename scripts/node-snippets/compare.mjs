// Compares a snippet's run here with Node's: its value, its error, its output, and its files.

const stable = (value) =>
  JSON.stringify(value, (_key, each) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )

/** The differences as readable lines; [] if there are none. */
export function differences(node, guest, { form = 'script' } = {}) {
  const found = []
  const differ = (what, a, b) => {
    if (stable(a) !== stable(b)) found.push(`${what}: Node ${stable(a)}\n  here ${stable(b)}`)
  }
  // Code without a return gives the value of its last expression here, as a console does.
  if (form === 'script' && node.value !== undefined) differ('value', node.value, guest.value ?? null)
  if (node.threw === true) differ('threw', true, guest.threw !== null)
  else differ('threw', node.threw, guest.threw)
  const printed = (text) => text.replace(/\n$/, '')
  differ('printed', printed(node.out), printed(guest.out))
  if (node.threw === null) differ('printed as errors', node.err, guest.err)
  differ('files', node.files, guest.files)
  return found
}
