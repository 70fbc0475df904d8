import path from 'node:path'

/** The folders at and below `area` that hold more than `most` of these files themselves. */
export function crowdedFolders(files, area, most) {
  const counts = new Map()
  for (const file of files) {
    const folder = path.posix.dirname(file)
    if (folder === area || folder.startsWith(`${area}/`)) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].filter(([, count]) => count > most).map(([folder, count]) => ({ folder, count }))
}
