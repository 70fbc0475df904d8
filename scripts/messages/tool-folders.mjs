// The built-in tools: every folder of `lib/shared/tools` that has a `words.json`.
import { access, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * In the order in which people see them: as listed in `lib/shared/tools/order.json`, then the others.
 * @param {string} root the project's @returns {Promise<readonly string[]>} paths of folders, as `lib/shared/tools/show`
 */
export async function toolFolders(root) {
  const entries = await readdir(path.join(root, 'lib/shared/tools'), { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `lib/shared/tools/${name}`)
  const isTool = (folder) =>
    access(path.join(root, folder, 'words.json')).then(
      () => true,
      () => false,
    )
  const found = await Promise.all(folders.map(async (folder) => ((await isTool(folder)) ? [folder] : [])))
  const order = JSON.parse(await readFile(path.join(root, 'lib/shared/tools/order.json'), 'utf8'))
  const placeOf = (folder) => order.indexOf(path.basename(folder)) + 1 || Infinity
  return found
    .flat()
    .toSorted()
    .toSorted((one, other) => (placeOf(one) === placeOf(other) ? 0 : placeOf(one) - placeOf(other)))
}

/** What a tool's folder exports: `lib/shared/tools/count-words` exports `countWords`. @param {string} folder */
const exportOf = (folder) => path.basename(folder).replace(/-(\w)/g, (_, letter) => letter.toUpperCase())

/** The module that lists them. @param {readonly string[]} folders @returns {string} */
export function toolsModule(folders) {
  const imports = folders.map((folder) => `import { ${exportOf(folder)} } from './${path.basename(folder)}'`)
  return `${imports.join('\n')}\n\nexport const foundTools = [\n${folders.map((folder) => `  ${exportOf(folder)},\n`).join('')}] as const\n`
}
