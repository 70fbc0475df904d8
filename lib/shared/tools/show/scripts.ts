import type { JsonObject } from '@/lib/base/json'

/*
 * The small programs that show things: files are foreign, so they are read, drawn and made smaller in the sandbox, by the
 * same `display` that a model's own code uses. Each gives back what the model is told.
 */

/** A value as an expression; by way of a text, so that no key of it means anything to JavaScript. */
const literal = (value: JsonObject | string) => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`

export const chartScript = (spec: JsonObject, name: string) =>
  `await display.chart(${literal(spec)}, { name: ${literal(name)} }); return {}`

const tableOf = (rows: string, name: string) => `const rows = ${rows}
await display.table(rows, { name: ${literal(name)} })
return { rows: rows.length, columns: Object.keys(rows[0] ?? {}).slice(0, 40) }`

export const csvScript = (path: string, name: string) => `const { default: papa } = await import("papaparse")
const text = await fs.readFile(${literal(path)}, "utf8")
${tableOf('papa.parse(text, { header: true, skipEmptyLines: "greedy", dynamicTyping: true }).data', name)}`

export const jsonLinesScript = (path: string, name: string) => `const text = await fs.readFile(${literal(path)}, "utf8")
${tableOf('text.split("\\n").filter((line) => line.trim() !== "").map((line) => JSON.parse(line))', name)}`

/** A list becomes a table, a chart's spec a chart; anything else is shown as JSON. */
export const jsonScript = (
  path: string,
  name: string,
) => `const value = JSON.parse(await fs.readFile(${literal(path)}, "utf8"))
if (String(value?.$schema).includes("vega.github.io/schema/vega")) {
  await display.chart(value, { name: ${literal(name)} })
  return { shown: "chart" }
}
if (!Array.isArray(value) || value.length === 0) {
  await display(value)
  return { shown: "JSON" }
}
${tableOf('value', name)}`

/** The longer side of a picture that has to be made smaller, in pixels. */
const largestSide = 1_600

/** A picture too large to be kept with the chat is shown smaller. */
export const imageScript = (path: string, type: string) => `const bytes = await fs.readFile(${literal(path)})
const picture = await createImageBitmap(new Blob([bytes], { type: ${literal(type)} }))
const scale = Math.min(1, ${largestSide} / Math.max(picture.width, picture.height))
const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale))
canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height)
await display(await canvas.convertToBlob({ type: "image/jpeg", quality: 0.85 }))
return { note: "Shown at " + canvas.width + " × " + canvas.height + ", of " + picture.width + " × " + picture.height + " pixels." }`
