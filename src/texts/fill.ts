/** Puts values in place of `{name}`, literally and in one pass: a `{name}` inside a value stays as it is. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? (values[name] as string) : placeholder,
  )
}
