/** 500 names that mean to lead from the root to `canary.md` beside it, or to upset whatever looks at them. */
export function craftedNames(folder: string): readonly string[] {
  const ups = [
    '..',
    '../..',
    './..',
    'a/..',
    'a/../..',
    '.../..',
    '....//',
    '..;',
    '.. ',
    '..\t',
    '..%2f',
    '..a/..',
    '.../../..',
    '..a/..',
    '../.',
    './../',
    '%2e%2e',
  ]
  ups.push(
    '%252e%252e',
    '．．',
    '‥',
    '․․',
    '.\u200b.',
    '..\0',
    '..\n',
    '.\u0301.',
    '..\ufeff',
    '\u202e..',
    '~',
    '$HOME',
  )
  const slashes = ['/', '//', '/./', '\\', '\\\\', '/\\', '%2f', '%5c', '∕', '⁄', '／', '\u2028', '\0/', '/\0']
  const names = ups.flatMap((up) => slashes.map((slash) => `${up}${slash}canary.md`))
  for (const prefix of [
    '',
    '/',
    '//',
    'file://',
    'file:',
    'C:',
    '\\\\?\\',
    '\\\\.\\',
    '/proc/self/root',
    '/dev/fd/../..',
  ]) {
    for (const suffix of ['', '/', '/.', '\0', '\0.md', '::$DATA', '.', ' ', '?', '#x']) {
      names.push(`${prefix}${folder}/canary.md${suffix}`)
    }
  }
  for (const depth of [1, 2, 5, 20, 100, 400]) {
    names.push(`${'../'.repeat(depth)}etc/passwd`, `${'a/'.repeat(depth)}${'../'.repeat(depth + 1)}canary.md`)
  }
  for (const name of [
    'CON',
    'NUL',
    'aux.md',
    'com1',
    'a'.repeat(256),
    'a'.repeat(1_025),
    'a/'.repeat(600),
    '😀'.repeat(200),
  ]) {
    names.push(name, `../${name}`, `${name}/../canary.md`)
  }
  names.push('', ' ', '.', '..', './', '../', '/', '\\', '\0', '\ud800', 'link', 'link/', 'link/.', 'folder/canary.md')
  return names
}
