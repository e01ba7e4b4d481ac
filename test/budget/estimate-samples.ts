/** Texts with the tokens that `o200k_base` counts in them. */
export const samples: Readonly<Record<string, readonly [tokens: number, text: string]>> = {
  English: [
    61,
    'The assistant should answer briefly and clearly. When the user asks about the schedule, read the notes first and answer then. Never share private details with strangers. If you are not sure, say so and ask again. Yesterday we went to the market and bought bread, apples and flowers for the whole family.\n',
  ],
  German: [
    69,
    'Der Assistent soll kurz und klar antworten. Wenn nach Terminen gefragt wird, lies zuerst die Notizen und antworte dann. Gib private Angaben niemals an Fremde weiter. Wenn du nicht sicher bist, sag es und frag noch einmal nach. Gestern waren wir auf dem Markt und haben Brot, Äpfel und Blumen gekauft.\n',
  ],
  French: [
    72,
    "L'assistant doit répondre brièvement et clairement. Quand on l'interroge sur l'agenda, il lit d'abord les notes, puis il répond. Ne partage jamais de renseignements privés avec des inconnus. Si tu n'es pas sûr, dis-le et repose la question. Hier, nous sommes allés au marché acheter du pain et des fleurs.\n",
  ],
  Vietnamese: [
    65,
    'Trợ lý phải trả lời ngắn gọn và rõ ràng. Khi người dùng hỏi về lịch làm việc, hãy đọc tệp ghi chú trước rồi mới trả lời. Không bao giờ chia sẻ thông tin riêng tư với người lạ. Nếu không chắc chắn, hãy nói rằng bạn không biết và hỏi lại.\n',
  ],
  Chinese: [
    80,
    '助手的回答要简短清楚。用户问到日程的时候，先读一下笔记再回答。不要把私人信息告诉陌生人。如果不确定，就说不知道，然后再问一次。昨天我们去市场买了面包和水果，天气很好，街上人很多。她喜欢喝茶，不喜欢咖啡；每周三下午去游泳。\n',
  ],
  Japanese: [
    74,
    'アシスタントは短く、わかりやすく答えてください。予定について聞かれたら、まずメモを読んでから答えます。個人情報を知らない人に教えてはいけません。わからないときは、わからないと言って、もう一度たずねてください。\n',
  ],
  Korean: [
    63,
    '도우미는 짧고 분명하게 대답해야 합니다. 사용자가 일정에 대해 물으면 먼저 메모를 읽고 나서 대답하세요. 개인 정보를 낯선 사람에게 알려 주지 마세요. 확실하지 않으면 모른다고 말하고 다시 물어보세요.\n',
  ],
  Russian: [
    62,
    'Помощник должен отвечать кратко и ясно. Когда пользователь спрашивает о расписании, сначала прочитай заметки, а потом ответь. Никогда не делись личными сведениями с посторонними. Если не уверен, скажи, что не знаешь, и спроси ещё раз.\n',
  ],
  Arabic: [
    62,
    'يجب أن يجيب المساعد بإيجاز ووضوح. عندما يسأل المستخدم عن المواعيد، اقرأ الملاحظات أولاً ثم أجب. لا تشارك المعلومات الخاصة مع الغرباء أبداً. إذا لم تكن متأكداً فقل إنك لا تعرف واسأل مرة أخرى.\n',
  ],
  TypeScript: [
    90,
    "export function sumOf(values: readonly number[]): number {\n  let total = 0\n  for (const value of values) {\n    if (Number.isNaN(value)) throw new RangeError('expected a number')\n    total += value\n  }\n  return total\n}\n\nconst inputValues = [1, 2, 3].map((value) => value * 2)\nconsole.log('sum:', sumOf(inputValues))\n",
  ],
  Python: [
    82,
    'class Door:\n    """A door that remembers who opened it."""\n\n    def __init__(self, name: str) -> None:\n        self.name = name\n        self.opened_by: list[str] = []\n\n    def open(self, who: str) -> bool:\n        if who in self.opened_by:\n            return False\n        self.opened_by.append(who)\n        return True\n',
  ],
  JSON: [
    68,
    '{\n  "name": "front-door",\n  "ports": [8080, 8443],\n  "retries": 3,\n  "labels": { "room": "hall", "floor": "0" },\n  "updatedAt": "2026-02-16T09:30:00Z"\n}\n',
  ],
  Markdown: [
    66,
    '# Notes\n\n- **2026-02-14:** The tide table moved to `tides.md`; see [the log](log.md).\n- Ask Mina before changing the *invoice* rules.\n\n| what | when |\n| --- | --- |\n| the night build | 02:00 |\n| backups | never |\n',
  ],
  base64: [
    111,
    'aGVyb25zIHN0YW5kIGluIHRoZSBzaGFsbG93cyB1bnRpbCB0aGUgbGlnaHQgaXMgZ29uZSBhbmQgY291bnQg\nd2hhdCBwYXNzZXM7IG5vYm9keSBhc2tzIHRoZW0gd2h5LCBhbmQgdGhleSB3b3VsZCBub3Qgc2F5Lgo1MjM4\n',
  ],
  hexadecimal: [
    81,
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752\n',
  ],
  emoji: [44, '😀 🎉 🚀 Good morning! ☀️ Coffee ☕ first, then 📎 the papers 🗂️ and 🏡 home. 👩‍💻🇩🇪👍🏽\n'],
}
