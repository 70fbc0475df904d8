const ms = (value) => (value === null ? '–' : value < 10 ? value.toFixed(2) : value.toFixed(0))
const share = (with_, without) => `${((with_ / without - 1) * 100).toFixed(0)} %`

/** docs/bench-vfs.md: medians in ms, and what each contestant promises for them. */
export function reportOf({ version, loads, rows, peer, ratio, slices, sliceFiles, plain, recorded }) {
  const other = rows.find(({ name }) => name === peer)
  const against = (row, key) => (row[key] / other[key]).toFixed(2)
  const table = rows.map(
    (row) =>
      `| ${row.name} | ${ms(row.writeSlice / sliceFiles)} | ${against(row, 'writeSlice')} | ${ms(row.bestWrite)} | ${ms(row.readSlice / sliceFiles)} | ${against(row, 'readSlice')} | ${ms(row.write10M)} | ${ms(row.read10M)} | ${ms(row.list)} | ${row.promise} |`,
  )
  return `# How fast files are kept

\`npm run bench:vfs -- --write\` measured this page and wrote it. Chromium ${version}, headless, one page, one profile on disk; a
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

The same changes through the app's worker with the history on and off, medians of 3 in turns.

| change | without, ms | recorded, ms | more |
| ------ | ----------: | -----------: | ---: |
| 200 small new files, each a call of its own | ${ms(plain.small)} | ${ms(recorded.small)} | ${share(recorded.small, plain.small)} |
| a new file of 10 MB | ${ms(plain.big10M)} | ${ms(recorded.big10M)} | ${share(recorded.big10M, plain.big10M)} |
| one byte changed in 10 MB | ${ms(plain.edit10M)} | ${ms(recorded.edit10M)} | ${share(recorded.edit10M, plain.edit10M)} |

After five such edits of 10 MB the history holds ${(recorded.historyBytes / 1000).toFixed(0)} kB: only the blocks that changed.
`
}
