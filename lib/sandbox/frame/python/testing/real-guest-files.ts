import { loadPyodide } from 'pyodide'
import { hideInternalPaths, isInternalPath, type FileNode, type GuestFiles } from '../workspace-copy'

export interface RealFiles extends GuestFiles {
  readdir(path: string): string[]
  readFile(path: string): Uint8Array
  unlink(path: string): void
}

/** Python and its own files in memory, in Node. It takes seconds to start, so one is shared by many tests. */
export async function startRealFiles() {
  const python = await loadPyodide({ env: { HOME: '/', TMPDIR: '/dev/shm/tmp' } })
  const files = python.FS as unknown as RealFiles
  hideInternalPaths(files)

  function empty(folder: string): void {
    for (const [name, { mode }] of Object.entries(files.lookupPath(folder).node.contents as Record<string, FileNode>)) {
      const path = folder === '/' ? `/${name}` : `${folder}/${name}`
      if (isInternalPath(path) && path !== '/lib') continue
      if (!files.isDir(mode)) files.unlink(path)
      else {
        empty(path)
        if (path !== '/lib') files.rmdir(path)
      }
    }
  }
  return { files, run: (code: string) => python.runPython(code) as unknown, empty: () => empty('/') }
}
