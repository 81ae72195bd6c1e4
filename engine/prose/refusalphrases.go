package prose

// A refusalGroup is a set of phrases that share a stem, so that a text without
// the stem is done with them at once.
type refusalGroup struct {
	stem    string
	phrases []string // decline by themselves
	openers []string // decline where a refused act follows ("I can't" … "help")
}

// refusals is a fixed table: nothing writes to it. All of it is folded.
var refusals = [...]refusalGroup{
	{
		stem:    "can't",
		phrases: []string{"i can't do that", "can't help with that", "can't assist with"},
		openers: []string{"i can't ", "we can't "},
	},
	{stem: "cannot", openers: []string{"i cannot ", "we cannot ", "but cannot "}},
	{
		stem:    " not ",
		phrases: []string{"not something i can help", "not something i'm able", "not something i can do"},
		openers: []string{
			"i can not ", "i could not ", "i will not ", "i'm not able ", "i am not able ", "i'm not allowed ", "i am not allowed ", "i'm not permitted ",
			"i am not permitted ", "i'm not comfortable ", "i am not comfortable ", "i'm not going ", "i am not going ",
		},
	},
	{stem: "won't", openers: []string{"i won't ", "we won't "}},
	{stem: "unable", openers: []string{"i'm unable ", "i am unable ", "we're unable ", "we are unable ", "but unable "}},
	{
		stem:    "decline",
		phrases: []string{"i must decline", "i have to decline", "i respectfully decline", "i'll have to decline", "i need to decline"},
		openers: []string{"i decline "},
	},
	{stem: "refuse", openers: []string{"i refuse ", "i must refuse "}},
	{stem: "access to", phrases: []string{"i don't have access to", "i do not have access to"}},
	{stem: " my ", phrases: []string{"against my guidelines", "against my programming", "violates my guidelines", "beyond my capabilities"}},
	{
		stem: " nicht", // German
		phrases: []string{
			"kann ich nicht helfen", "kann ich leider nicht", "ich kann ihnen dabei nicht", "ich kann dir dabei nicht", "ich kann leider nicht",
			"ich kann dabei nicht", "ich kann diese anfrage nicht", "kann ich dir nicht helfen", "kann ich ihnen nicht helfen", "nicht weiterhelfen",
		},
	},
	{stem: "je ne ", phrases: []string{"je ne peux pas", "je ne suis pas en mesure", "je ne suis pas autorisé", "je ne pourrai pas"}}, // French
	{
		stem: "no ", // Spanish
		phrases: []string{
			"no puedo ayudar", "no puedo proporcionar", "no puedo responder", "no puedo cumplir", "no puedo hacer eso", "no puedo generar",
			"no puedo crear", "no puedo compartir", "no me es posible", "no estoy autorizad",
		},
	},
	{
		stem: "non ", // Italian
		phrases: []string{
			"non posso aiutar", "non posso fornir", "non posso risponder", "non posso soddisfare", "non posso generare", "non sono in grado di",
			"non mi è possibile",
		},
	},
	{
		stem: "não ", // Portuguese
		phrases: []string{
			"não posso ajudar", "não posso fornecer", "não posso responder", "não posso atender", "não consigo ajudar", "não me é possível",
			"não estou autorizad",
		},
	},
	{
		stem: " niet", // Dutch
		phrases: []string{
			"kan ik niet helpen", "kan ik je niet helpen", "kan ik u niet helpen", "ik kan je daar niet", "ik kan u daar niet", "ik kan hier niet",
			"ik kan helaas niet", "kan ik helaas niet",
		},
	},
	{
		stem: "не ", // Russian
		phrases: []string{
			"я не могу помочь", "я не могу предостав", "я не могу выполнить", "не могу ответить", "не могу помочь", "я не имею права",
		},
	},
	{
		stem: "できません", // Japanese
		phrases: []string{
			"お答えできません", "お手伝いできません", "お手伝いすることはできません", "提供することはできません", "お応えできません",
			"対応できません",
		},
	},
	{stem: "られません", phrases: []string{"応じられません", "答えられません"}},
	{stem: "无法", phrases: []string{"我无法提供", "我无法帮助", "我无法协助", "我无法回答", "我无法满足", "无法为您提供"}}, // Chinese
	{stem: "不能", phrases: []string{"我不能提供", "我不能帮助", "我不能协助", "我不能回答"}},
	{stem: "無法", phrases: []string{"我無法提供", "我無法協助", "我無法回答"}},
	{
		stem:    "수 없", // Korean
		phrases: []string{"도와드릴 수 없", "도와 드릴 수 없", "제공할 수 없", "답변할 수 없", "답변드릴 수 없", "도움을 드릴 수 없"},
	},
}
