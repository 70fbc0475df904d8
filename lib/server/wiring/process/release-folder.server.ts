/** On globalThis: the entry knows it, pages in Next's bundles ask. */
const key = Symbol.for('nod.release')
const slot = globalThis as typeof globalThis & { [key]?: string }

export const holdReleaseFolder = (folder: string): void => {
  slot[key] = folder
}

/** Where the build put what is served; of a development server, where the last build left what it found. */
export const releaseFolder = (): string => slot[key] ?? '.next'
