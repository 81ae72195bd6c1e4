package prose

import (
	"strings"
	"unicode/utf8"
)

const (
	minFunctionWords = 4 // votes that decide
	functionMargin   = 4 // times the votes of the next language
)

// byFunctionWords returns the language whose function words a text holds, and whether they decide: four or more, and four times as many
// as of any other language. A word that two languages share has no vote, but is
// among the different ones that were seen.
func byFunctionWords(s string) (language string, decided bool, seen int) {
	var votes [len(functionWords)]int
	var met [(maxFunctionWords + 63) / 64]uint64
	var buffer [16]byte
	count := func(word []byte) {
		w, ok := functionWordIndex[string(word)]
		if !ok {
			return
		}
		if bit := uint64(1) << (w.number % 64); met[w.number/64]&bit == 0 {
			met[w.number/64] |= bit
			seen++
		}
		if w.language != shared {
			votes[w.language]++
		}
	}
	n, fits := 0, true
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case !isText(r):
			if n > 1 && fits {
				count(buffer[:n])
			}
			n, fits = 0, true
		case !fits || n+size > len(buffer):
			fits = false
		case size == 1 && r < 'a':
			buffer[n] = byte(r) | 0x20
			n++
		default:
			n += copy(buffer[n:], s[i:i+size])
		}
		i += size
	}
	if n > 1 && fits {
		count(buffer[:n])
	}
	best, second := 0, -1
	for i := 1; i < len(votes); i++ {
		switch {
		case votes[i] > votes[best]:
			best, second = i, best
		case second < 0 || votes[i] > votes[second]:
			second = i
		}
	}
	decided = votes[best] >= minFunctionWords && votes[best] >= functionMargin*votes[second]
	return functionWords[best].language, decided, seen
}

// functionWords are frequent short words of the languages that share the
// Latin or the Cyrillic script. Danish and Norwegian share nearly all of theirs,
// so trigrams decide between them.
var functionWords = [...]struct{ language, words string }{
	{"en", "the of and that with for this are you not have from which they our your their has will been would should there what when if or but by can were his her he she who how all any it its on at as be we my me us do does did so than then them these those into about after before because could may must was had over no am very also more only such come each some other"},
	{"de", "der die das und ist nicht mit ein eine einen einem einer den dem des zu von für auf wir sie ich auch wird werden wurde haben sind sich bei nach aus oder wenn aber nur noch wie kann können über durch zur zum vom diese dieser dieses ihr ihre ihren ihnen uns im war"},
	{"fr", "le la les des est et une dans pour que qui pas sur avec vous nous ce cette ces sont par plus au aux du il elle ils ne mais ou où votre notre leur être avoir été cela comme tout tous sans sous donc ses son sa je"},
	{"es", "el los las una que es por con para del se su al lo como pero más sus le ha este esta esto son también muy fue hay está están sin sobre entre cuando desde nos usted ya todo porque yo"},
	{"it", "il che di è per un una con non sono della del dei delle gli alla nel nella si anche come ma più questo questa ho ha essere loro suo sua dal dalla sul sulla degli lo le o se ci"},
	{"pt", "os as que não uma um com para por do da dos das em no na nos nas se mais como mas foi ao pelo pela são está também seu sua você ou já isso este esta muito ser tem é"},
	{"nl", "de het een van en is dat niet met voor zijn op te aan ook er maar om bij naar wordt worden heeft hebben deze dit uw je wij ze uit als dan nog wel kan kunnen door over of was werd"},
	{"sv", "och att det som är för på med inte av till den ett om har du kan jag vi var från eller men ska när så också mycket efter vid"},
	{"da", "og at det som er for på med ikke af til den et om har du kan jeg vi var fra eller men skal når så også efter ved blev hvad mig sig"},
	{"no", "og at det som er for på med ikke av til den et om har du kan jeg vi var fra eller men skal når så også etter ved ble hva meg seg"},
	{"fi", "ja on ei että se oli ovat hän mutta kun niin myös tai joka jos ole sen olla voi mitä tämä tämän sekä vain kuin minä sinä"},
	{"pl", "nie się na jest że do jak ale to po co za od czy przez przy dla są tego ten ta był była już tylko może oraz lub który która które jego"},
	{"cs", "se na že je to si ale jako jsem jsou pro by byl byla bylo také nebo aby když který která které jeho tak už při od do ze"},
	{"hu", "az és hogy nem is egy ez van meg de csak már mint volt ha vagy még azt kell lehet nagy minden után ezt pedig"},
	{"ro", "și în de la cu nu este pe că din care un mai sau fi sunt pentru prin ca se lui ei am această acest dar au fost"},
	{"tr", "bir ve bu için ile de da ne çok daha olarak olan gibi var kadar ama en sonra ben sen biz değil mi ya"},
	{"id", "yang dan di dari untuk dengan ini itu tidak pada adalah dalam ke akan juga oleh atau saya anda kami mereka telah bisa dapat karena"},
	{"ru", "не на что как это для или если мы вы он она они был была было были но по из за от до все так только уже чтобы вас вам нас её его их при есть также может быть"},
	{"uk", "не на що як це для або якщо ми ви він вона вони був була було були але по із за від до всі так тільки вже щоб вас вам нас її його їх при та й також може бути є"},
	{"bg", "не на че как това за или ако ние вие той тя те беше са но по от до все така само вече да се ни го му при и също може бъде е във със което които"},
	{"sw", "na ya wa kwa ni katika za kuwa hii hiyo huyu cha hili wake zao yako hapa lakini kama au pia"},
	{"vi", "là và của có không được cho với một các trong này đã những người khi để đến tôi bạn về như cũng nhưng hoặc"},
}

const (
	shared           = -1   // the language of a word that several have
	maxFunctionWords = 1024 // room for all of the table
)

// A functionWord is one word of the table: its language, by its place, and a
// number of its own.
type functionWord struct{ language, number int16 }

var functionWordIndex = func() map[string]functionWord {
	index := make(map[string]functionWord, maxFunctionWords)
	for i, language := range functionWords {
		for word := range strings.FieldsSeq(language.words) {
			if w, ok := index[word]; ok {
				index[word] = functionWord{shared, w.number}
			} else {
				index[word] = functionWord{int16(i), int16(len(index))}
			}
		}
	}
	return index
}()
