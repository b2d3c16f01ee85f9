export async function POST(request) {
  const form = await request.formData();
  return Response.json({ answer: form.get('answer') });
}
