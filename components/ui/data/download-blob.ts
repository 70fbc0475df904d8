/** A name that is valid on every system: no folders, no invisible characters, none that Windows forbids. */
export function safeFileName(name: string): string {
  const last = name.split(/[/\\]/).findLast((part) => part !== '') ?? ''
  const clean = last
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/[. ]+$/, '')
  const short = Array.from(clean).slice(-120).join('')
  return short === '' ? 'file' : /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(short) ? `_${short}` : short
}

/** Downloads data as a file. */
export function downloadBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = safeFileName(name)
  link.click()
  // The download has its own reference to the data by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
