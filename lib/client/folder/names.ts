/** Why a new name would fail on another system. `twin`: another name differs in case only. */
export type NameRisk = 'reserved' | 'ending' | 'character' | 'twin'

const reserved = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³])(?:\.|$)/i

function riskOfName(name: string): NameRisk | null {
  if (reserved.test(name)) return 'reserved'
  if (/[. ]$/.test(name)) return 'ending'
  return /[<>:"|?*]/.test(name) ? 'character' : null
}

/** Compares names as a disk does that ignores case. */
const foldCase = (path: string): string => path.normalize('NFC').toLowerCase()

/** `paths`: all files of the folder, of the copy and of the disk. */
export function createNameCheck(paths: Iterable<string>): (path: string) => NameRisk | null {
  const spellings = new Map<string, Set<string>>()
  for (const path of paths) {
    const parts = path.split('/')
    for (const at of parts.keys()) {
      const upTo = parts.slice(0, at + 1).join('/')
      const known = spellings.get(foldCase(upTo))
      if (known) known.add(upTo)
      else spellings.set(foldCase(upTo), new Set([upTo]))
    }
  }
  return (path) => {
    const parts = path.split('/')
    for (const [at, part] of parts.entries()) {
      const risk = riskOfName(part)
      if (risk !== null) return risk
      if ((spellings.get(foldCase(parts.slice(0, at + 1).join('/')))?.size ?? 0) > 1) return 'twin'
    }
    return null
  }
}
