import { addressOfPath } from '../page-address'
import { pageText, type PageFile } from '../page-files'
import { withSource } from '../module-imports'
import { type SiblingFiles, createFrameModules } from './frame-modules'

/** A page may have this many workers at once; they end with it. */
const maxWorkers = 8

/**
 * The page's `Worker`: it runs a file of the workspace, or a text of the page's own. Like the page, it has no network.
 */
export function siblingWorkers(beside: SiblingFiles, say: (message: object) => void): typeof Worker {
  const atWork = new Set<Worker>()

  function addressOf(file: PageFile, isModule: boolean): string {
    // No import map reaches a worker: each has its own modules.
    if (isModule) return startingModule(createFrameModules(beside, () => new Set()).address(file))
    return URL.createObjectURL(script(withSource(`${importing(file)}${pageText(file)}`, file.path)))
  }

  /** Makes `importScripts` find the files; inserted on the first line, so that line numbers stay the same. */
  function importing(file: PageFile): string {
    if (!pageText(file).includes('importScripts')) return ''
    const scripts: Record<string, string> = {}
    for (const one of beside.scripts()) {
      scripts[addressOfPath(one.path)] = URL.createObjectURL(script(withSource(pageText(one), one.path)))
    }
    const [base, table] = [addressOfPath(file.path), scripts].map((part) => JSON.stringify(part))
    return `{ const load = importScripts, files = ${table}; self.importScripts = (...names) => { for (const name of names) { const at = new URL(name, ${base}); load(files[at.origin + at.pathname] ?? name) } } } `
  }

  return class extends globalThis.Worker {
    constructor(address: string | URL, options?: WorkerOptions) {
      if (atWork.size >= maxWorkers) {
        throw new DOMException(`A page may have ${maxWorkers} workers here`, 'QuotaExceededError')
      }
      const written = String(address)
      const found = /^(?:blob|data):/i.test(written) ? null : beside.find(written)
      if (found !== null && found.kind !== 'file') {
        if (found.kind === 'outside') say({ type: 'refused', address: written })
        throw new DOMException(`There is no ${written} in this workspace`, 'SecurityError')
      }
      const isModule = options?.type === 'module'
      const own = found === null ? (isModule ? startingModule(written) : written) : addressOf(found.file, isModule)
      super(own, { name: options?.name ?? '' })
      atWork.add(this)
    }
    override terminate(): void {
      atWork.delete(this)
      super.terminate()
    }
  }
}

/**
 * Chromium starts no module of an opaque origin as a worker, but lets a classic script import one. Messages sent
 * meanwhile are kept until the module listens.
 */
const startingModule = (address: string): string =>
  URL.createObjectURL(
    script(
      `{ const kept = [], keep = (event) => { kept.push(event); event.stopImmediatePropagation() }; addEventListener('message', keep); import(${JSON.stringify(address)}).then(() => { removeEventListener('message', keep); for (const { data, ports } of kept) dispatchEvent(new MessageEvent('message', { data, ports: [...ports] })) }, (error) => setTimeout(() => { throw error })) }`,
    ),
  )

const script = (code: string): Blob => new Blob([code], { type: 'text/javascript' })
