const ms = (value) => (value === null ? '–' : value < 10 ? value.toFixed(2) : value.toFixed(0))

/** docs/bench-vfs.md: medians in ms, and what each contestant promises for them. */
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
  return `# How fast files are kept

\`npm run bench -- vfs --write\` measured this page and wrote it. Chromium ${version}, headless, one page, one profile on disk; a
machine of 2 cores that others use too (load ${loads.map((load) => load.toFixed(1)).join(' at the start, ')} at the end), so the ratios say more than the
milliseconds. Small: ${slices * sliceFiles} files of 1,000 random bytes into one folder, each awaited, in ${slices} turns of ${sliceFiles}, all
contestants in each turn; medians of a turn, per file. Large: 10 MB of random bytes, median of 3. List: a folder of 10,000 files, best of 5;
it is left out where making them takes minutes.

**${slices * sliceFiles} small writes of Nod take ${ratio.toFixed(2)} times as long as lightning-fs's** (median of the ratios of the turns; the bound is 1.5).

| store | write, ms | ÷ lightning | best turn | read, ms | ÷ lightning | write 10 MB | read 10 MB | list 10,000 | when a write has resolved |
| ----- | --------: | ----------: | --------: | -------: | ----------: | ----------: | ---------: | ----------: | ------------------------- |
${table.join('\n')}

Stored means: the browser has completed the transaction, with its default durability (Chromium: \`relaxed\`), for all stores on IndexedDB alike.
A killed tab or browser loses nothing of it; a power cut may.

## What a checkpoint costs

The same changes through the app's worker with the history on and off, medians of 3 in turns, in ms.

| who, and whether the history is on | 200 small new files, each a call of its own | a new file of 10 MB | one byte changed in 10 MB | the history after five such edits, MB |
| --- | ---: | ---: | ---: | ---: |
${historyRows.join('\n')}

A file is kept whole: each edit of a file of 10 MB keeps the 10 MB of before. The history is bounded by its size (200 MB in the
app), so such edits push older changes out of it sooner.

## All files at once

A snapshot hands all files over in few Blobs. Files of 2 kB in 20 folders, in ms: the first in a new worker, with loading; once more (best of
5); and after one file changed (best of 5).

| who | files | first | again | one file changed |
| --- | ---: | ---: | ---: | ---: |
${snapshotRows.join('\n')}
`
}
