export const pyodideVersion = '314.0.7'

/**
 * Python's files, as names of assets. Pyodide's names include its version, because they are cached permanently; the
 * worker is ours.
 */
export const pythonAssets = {
  worker: 'python.js',
  script: `pyodide-${pyodideVersion}.asm.js`,
  wasm: `pyodide-${pyodideVersion}.asm.wasm`,
  stdlib: `pyodide-${pyodideVersion}-stdlib.zip`,
} as const

/** Unpacked bytes of all of Pyodide's files, for the progress display. */
export const pythonBytes = 13_394_199

export const isPythonAsset = (name: string): boolean => (Object.values(pythonAssets) as string[]).includes(name)
