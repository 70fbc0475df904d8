export const pyodideVersion = '314.0.7'

/**
 * What Python is made of, as names of assets. Those of Pyodide carry its version, since they are cached for good; the
 * worker is ours.
 */
export const pythonAssets = {
  worker: 'python.js',
  script: `pyodide-${pyodideVersion}.asm.js`,
  wasm: `pyodide-${pyodideVersion}.asm.wasm`,
  stdlib: `pyodide-${pyodideVersion}-stdlib.zip`,
} as const

/** Bytes of all of Pyodide's files, unpacked, for the progress of their loading. */
export const pythonBytes = 13_394_199

export const isPythonAsset = (name: string): boolean => (Object.values(pythonAssets) as string[]).includes(name)
