const ms = (value) => (value === null ? '–' : value < 10 ? value.toFixed(2) : value.toFixed(0))

/** docs/generated/bench-vfs.md: medians in ms, and each contestant's guarantees. */
export function reportOf({ version, loads, rows, peer, ratio, slices, sliceFiles, histories, snapshots, besideName }) {
  const other = rows.find(({ name }) => name === peer)
  const against = (row, key) => (row[key] / other[key]).toFixed(2)
  const table = rows.map(
    (row) =>
      `| ${row.name} | ${ms(row.writeSlice / sliceFiles)} | ${against(row, 'writeSlice')} | ${ms(row.bestWrite)} | ${ms(row.readSlice / sliceFiles)} | ${against(row, 'readSlice')} | ${ms(row.write10M)} | ${ms(row.read10M)} | ${ms(row.list)} | ${row.promise} |`,
  )
  const who = ({ isOther }) => (isOther ? besideName : 'Nod')
  const historyRows = histories.map(
    (row) =>
      `| ${who(row)}, ${row.recorded ? 'recorded' : 'not recorded'} | ${ms(row.small)} | ${ms(row.big10M)} | ${ms(row.edit10M)} | ${(row.historyBytes / 1e6).toFixed(2)} |`,
  )
  const snapshotRows = snapshots.map(
    (row) =>
      `| ${who(row)} | ${row.count.toLocaleString('en')} | ${ms(row.cold)} | ${ms(row.warm)} | ${ms(row.changed)} |`,
  )
  return `# File storage

How fast the files of a chat are stored, beside other browser storage. \`npm run bench -- vfs --write\` writes this page. Chromium ${version},
headless, one page, one profile on disk. The machine has 2 shared cores (load ${loads.map((load) => load.toFixed(1)).join(' at the start, ')} at the end), so ratios
are more reliable than milliseconds.

- Small: ${slices * sliceFiles} files of 1,000 random bytes into one folder, awaited one by one, in ${slices} turns of ${sliceFiles} with all stores in each turn; medians per
  file.
- Large: 10 MB of random bytes, median of 3.
- List: a folder of 10,000 files, best of 5; left out if creating them takes minutes.

**${slices * sliceFiles} small writes of Nod take ${ratio.toFixed(2)} times as long as lightning-fs's** (median of the ratios of the turns; the bound is 1.5).

| store | write, ms | ÷ lightning | best turn | read, ms | ÷ lightning | write 10 MB | read 10 MB | list 10,000 | when a write has resolved |
| ----- | --------: | ----------: | --------: | -------: | ----------: | ----------: | ---------: | ----------: | ------------------------- |
${table.join('\n')}

"Stored" means that the browser completed the transaction with its default durability (Chromium: \`relaxed\`). A killed tab or browser loses
nothing of it; a power cut can.

## Cost of the history

The same changes through the app's worker with the history on and off; medians of 3, in ms.

| version, history | 200 small new files, one call each | a new file of 10 MB | one byte changed in 10 MB | history after five such edits, MB |
| --- | ---: | ---: | ---: | ---: |
${historyRows.join('\n')}

Files are stored whole, so each edit of a 10 MB file stores the previous 10 MB in the history, which is limited to 200 MB.

## All files at once

A snapshot returns all files in a few Blobs. Files of 2 kB in 20 folders, in ms: first in a new worker, with loading; again (best of 5); after
one file changed (best of 5).

| version | files | first | again | one file changed |
| --- | ---: | ---: | ---: | ---: |
${snapshotRows.join('\n')}
`
}
