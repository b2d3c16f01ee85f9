/** Formats an Israeli phone number as it is dialled in Israel. Foreign numbers stay as they are stored. */
export function formatPhone(phone: string): string {
  const nine = /^\+972([57]\d)(\d{3})(\d{4})$/.exec(phone);
  if (nine) return `0${nine[1]}-${nine[2]}-${nine[3]}`;
  const eight = /^\+972(\d)(\d{3})(\d{4})$/.exec(phone);
  return eight ? `0${eight[1]}-${eight[2]}-${eight[3]}` : phone;
}
