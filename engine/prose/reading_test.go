package prose

import (
	"strings"
	"testing"
)

func TestLanguage(t *testing.T) {
	for _, tt := range []struct{ want, text string }{
		{"en", sample},
		{"ja", sampleJapanese},
		{"unknown", ""},
		{"unknown", "Yes, it was paid."},
		{"unknown", `{"status":"overdue","amount":128.4,"currency":"EUR","lines":[{"sku":"A-1","qty":2},{"sku":"B-7","qty":1},{"sku":"C-3","qty":9}],"customer":{"name":"Ada","tier":"gold"}}`},
		{"de", "Die Rechnung wurde am dritten März bezahlt, aber der Betrag stimmt nicht mit dem Auftrag überein, und wir haben den Kunden um eine Erklärung gebeten."},
		{"fr", "La facture a été payée le trois mars, mais le montant ne correspond pas à la commande, et nous avons demandé une explication au client dans la journée."},
		{"es", "La factura se pagó el tres de marzo, pero el importe no coincide con el pedido y hemos pedido una explicación al cliente para poder cerrar el caso."},
		{"it", "La fattura è stata pagata il tre marzo, ma l'importo non corrisponde all'ordine e abbiamo chiesto al cliente una spiegazione per poter chiudere la pratica."},
		{"pt", "A fatura foi paga no dia três de março, mas o valor não corresponde ao pedido e pedimos uma explicação ao cliente para que possamos encerrar o caso."},
		{"nl", "De factuur is op drie maart betaald, maar het bedrag komt niet overeen met de bestelling en we hebben de klant om uitleg gevraagd over het verschil."},
		{"sv", "Fakturan betalades den tredje mars, men beloppet stämmer inte med beställningen och vi har bett kunden att förklara skillnaden så snart som möjligt."},
		{"pl", "Faktura została opłacona trzeciego marca, ale kwota nie zgadza się z zamówieniem i poprosiliśmy klienta o wyjaśnienie, żeby można było zamknąć sprawę."},
		{"ru", "Счёт был оплачен третьего марта, но сумма не совпадает с заказом, и мы попросили клиента объяснить разницу, чтобы можно было закрыть это обращение сегодня."},
		{"ko", "송장은 삼월 삼일에 결제되었지만 금액이 주문과 일치하지 않아서 고객에게 설명을 요청했습니다. 답변을 받는 대로 문의를 종료하겠습니다. 기다려 주셔서 감사합니다. 추가 질문이 있으시면 언제든지 알려 주세요."},
		{"zh", "发票已于三月三日支付，但金额与订单不符，我们已请客户说明差额的原因。"},
		{"fa", "فاکتور در سوم مارس پرداخت شد، اما مبلغ با سفارش مطابقت ندارد و ما از مشتری خواسته\u200cایم که تفاوت را توضیح دهد تا بتوانیم این پرونده را ببندیم و پاسخ نهایی را برای او بفرستیم."},
		{"el", "Το τιμολόγιο πληρώθηκε στις τρεις Μαρτίου, αλλά το ποσό δεν συμφωνεί με την παραγγελία και ζητήσαμε εξηγήσεις από τον πελάτη για να κλείσει η υπόθεση."},
		{"unknown", "发票已于三月三日支付 the amount does not match the order, мы попросили клиента объяснить разницу 금액이 주문과 일치하지"},
	} {
		for range 3 { // the same answer every time
			if got := Language(tt.text); got != tt.want {
				t.Errorf("Language(%.40q…) = %q, want %q", tt.text, got, tt.want)
			}
		}
	}
	if code, _ := Guess("Die Rechnung ist nicht bezahlt und wir bitten um Geduld"); code != "de" {
		t.Errorf("a short German text is guessed to be %q", code)
	}
	tail := Language(sample) == Language(sample[:300]+strings.Repeat(" и это не важно", 500))
	if !tail {
		t.Error("what stands after the first 300 characters changed the language")
	}
}

func TestLanguagesAreCodes(t *testing.T) {
	for _, code := range Languages() {
		if len(code) != 2 {
			t.Errorf("%q is no ISO 639-1 code", code)
		}
	}
}

func TestFunctionWordsFit(t *testing.T) {
	if n := len(functionWordIndex); n > maxFunctionWords {
		t.Errorf("%d function words, room for %d", n, maxFunctionWords)
	}
}

func TestRefusal(t *testing.T) {
	long := strings.Repeat("The court held that the clause is void, and the lower court agreed. ", 10)
	for _, tt := range []struct {
		want bool
		text string
	}{
		{true, "I'm sorry, but I can't help with that."},
		{true, "I’m sorry, but I **cannot** assist with this request."},
		{true, "I CAN'T PROVIDE THAT."},
		{true, "Thanks for asking! I'm unable to share personal data. Please contact support."},
		{true, "As an AI, I am not able to give medical advice. Please see a doctor."},
		{true, "I must decline."},
		{true, "Unfortunately, I won't be able to write that."},
		{true, "I can’t in good conscience help you with this."},
		{true, "Das kann ich leider nicht tun."},
		{true, "Je ne peux pas vous aider avec cette demande."},
		{true, "Lo siento, pero no puedo ayudarte con eso."},
		{true, "Mi dispiace, ma non posso aiutarti."},
		{true, "Desculpe, não posso ajudar com isso."},
		{true, "申し訳ありませんが、その質問にはお答えできません。"},
		{true, "抱歉，我无法提供这类信息。"},
		{true, "죄송하지만 그 요청은 도와드릴 수 없습니다."},

		{false, ""},
		{false, "I can't recommend it enough: the best soup in town."},
		{false, "I can't help but smile at this."},
		{false, "I can't wait to see you."},
		{false, "I cannot believe how good it is."},
		{false, "I'm sorry for the delay. Your order shipped today."},
		{false, "The customer wrote \"I cannot help you\" and left."},
		{false, "“I can’t do that,” said the robot, and rolled away."},
		{false, "You can't return an item after 30 days."},
		{false, "I can't access live prices, but here is what they were: 3.50."},
		{false, "I can't give legal advice. " + long},
		{false, "First. Second. Third. Fourth. I can't help with that."},
		{false, long + " I can't help with that."},
		{false, "The refund was approved."},
	} {
		if got := Refusal(tt.text); got != tt.want {
			t.Errorf("Refusal(%.70q) = %v, want %v", tt.text, got, tt.want)
		}
	}
}
