"""Sixty answers that their turns bear out and sixty that they do not, each over a true line of the history."""

from datetime import datetime

import pytest

from langrecall.citations.support import answer_support, is_supported, sentences
from langrecall.records import Turn

PEOPLE = ("Rosa Lind", "Ken")


def spoken(place: int, speaker: str, text: str, day: str = "2024-03-12T18:30") -> Turn:
    return Turn(
        session_id=f"s{place}", index=0, speaker=speaker, role="speaker", text=text, time=datetime.fromisoformat(day)
    )


TOLD = {
    "lease": spoken(1, "Ken", "I signed the lease yesterday, 850 euros a month, and I move in on the 1st of April."),
    "dog": spoken(2, "Rosa Lind", "My dog Bolt is three now, can you believe it? He weighs 20 kg."),
    "race": spoken(3, "Ken", "I ran 21 km in Bergen last Sunday, it took me two hours."),
    "vegan": spoken(4, "Rosa Lind", "I never eat meat, but I do eat eggs."),
    "parrot": spoken(5, "Ken", "My parrot Kiki only speaks Portuguese."),
    "sister": spoken(6, "Ken", "My sister Ines works as a nurse in Porto since 2019."),
    "job": spoken(7, "Ken", "Congrats on your new job at Vestas, Rosa! When do you start?"),
    "start": spoken(8, "Rosa Lind", "I start on Monday the 8th of July. The office is in Aarhus."),
    "flight": spoken(9, "Rosa Lind", "The flight to Lisbon costs $240 and leaves at 7:45 am."),
    "hotel": spoken(10, "Rosa Lind", "The hotel is 95 euros a night, we booked four nights."),
    "concert": spoken(11, "Ken", "We did not go to the concert because it rained."),
    "piano": spoken(12, "Rosa Lind", "I have been playing the piano for ten years."),
    "books": spoken(13, "Ken", "I bought 3 novels and 2 cookbooks at the fair."),
    "car": spoken(14, "Ken", "Marta bought a red Volvo and I still ride my bike."),
    "allergy": spoken(15, "Rosa Lind", "The doctor says I'm not allergic to nuts after all."),
    "key": spoken(16, "Rosa Lind", "the spare key is under the flowerpot next to the door"),
    "knee": spoken(17, "Ken", "I hurt my knee two weeks ago and can't run until May."),
    "marathon": spoken(18, "Ken", "My first marathon was in 2016, the last one in 2022."),
    "garden": spoken(19, "Rosa Lind", "We planted twelve tomato plants and a fig tree in the garden."),
    "visit": spoken(20, "Ken", "Ines and her husband Rui visit us on 3 May for a week."),
}  # fmt: skip

TRUE: list[tuple[str, list[str]]] = [
    ("Ken pays 850 euros a month [1].", ["lease"]),
    ("He signed the lease on 11 March 2024 [1].", ["lease"]),
    ("Ken moves in on 1 April [1].", ["lease"]),
    ("Ken signed the lease [1].", ["lease"]),
    ("€850 a month [1].", ["lease"]),
    ("Rosa's dog is called Bolt [1].", ["dog"]),
    ("Bolt is 3 years old [1].", ["dog"]),
    ("Bolt weighs 20 kg [1].", ["dog"]),
    ("Rosa Lind has a dog named Bolt, who is three [1].", ["dog"]),
    ("The dog weighs 20 kilos [1].", ["dog"]),
    ("Ken ran 21 km in Bergen [1].", ["race"]),
    ("Ken ran in Bergen on 10 March 2024 [1].", ["race"]),
    ("It took him 2 hours [1].", ["race"]),
    ("Ken ran 21 kilometres [1].", ["race"]),
    ("Rosa does not eat meat [1].", ["vegan"]),
    ("Rosa eats eggs [1].", ["vegan"]),
    ("No, she never eats meat [1].", ["vegan"]),
    ("Kiki speaks only Portuguese [1].", ["parrot"]),
    ("Ken's parrot is called Kiki [1].", ["parrot"]),
    ("Ken has a parrot named Kiki [1].", ["parrot"]),
    ("Ken's sister Ines is a nurse [1].", ["sister"]),
    ("Ines works in Porto [1].", ["sister"]),
    ("Ines has worked as a nurse in Porto since 2019 [1].", ["sister"]),
    ("Rosa has a new job at Vestas [1].", ["job"]),
    ("Rosa got a job at Vestas [1] and starts on 8 July 2024 [2].", ["job", "start"]),
    ("She starts on Monday, 8 July [1].", ["start"]),
    ("Her office is in Aarhus [1].", ["start"]),
    ("The office is in Aarhus. [1]", ["start"]),
    ("The flight costs $240 [1].", ["flight"]),
    ("The flight to Lisbon leaves at 7:45 am [1].", ["flight"]),
    ("240 dollars [1].", ["flight"]),
    ("The flight is $240 [1] and the hotel 95 euros a night [2].", ["flight", "hotel"]),
    ("They booked four nights [1].", ["hotel"]),
    ("They booked 4 nights at 95 euros [1].", ["hotel"]),
    ("They did not go to the concert because it rained [1].", ["concert"]),
    ("No, Ken didn't go to the concert [1].", ["concert"]),
    ("It rained, so they did not go [1].", ["concert"]),
    ("Rosa has played the piano for ten years [1].", ["piano"]),
    ("For 10 years [1].", ["piano"]),
    ("Ken bought five books at the fair [1].", ["books"]),
    ("He bought 3 novels and 2 cookbooks [1].", ["books"]),
    ("Ken bought three novels [1].", ["books"]),
    ("Marta bought a red Volvo [1].", ["car"]),
    ("Ken rides his bike [1].", ["car"]),
    ("A red Volvo [1].", ["car"]),
    ("Rosa is not allergic to nuts [1].", ["allergy"]),
    ("No, the doctor says that she isn't allergic to nuts [1].", ["allergy"]),
    ("The spare key is under the flowerpot [1].", ["key"]),
    ("Under the flowerpot next to the door [1].", ["key"]),
    ("Ken hurt his knee on 27 February 2024 [1].", ["knee"]),
    ("Ken hurt his knee two weeks before [1].", ["knee"]),
    ("He can't run until May [1].", ["knee"]),
    ("His first marathon was in 2016 [1].", ["marathon"]),
    ("The last one was in 2022 [1].", ["marathon"]),
    ("They planted 12 tomato plants [1].", ["garden"]),
    ("They planted a dozen tomato plants and a fig tree [1].", ["garden"]),
    ("Ines and Rui come on 3 May [1].", ["visit"]),
    ("Ines visits Ken on 3 May 2024 with her husband Rui [1].", ["visit"]),
    ("Ken told Rosa that he ran 21 km [1].", ["race"]),
    ("Rosa booked four nights [1]. Her flight costs $240 [2].", ["hotel", "flight"]),
]

FALSE: list[tuple[str, list[str], str]] = [
    # a number
    ("Ken pays 950 euros a month [1].", ["lease"], "number"),
    ("Bolt is five [1].", ["dog"], "number"),
    ("Ken ran 42 km in Bergen [1].", ["race"], "number"),
    ("They booked three nights [1].", ["hotel"], "number"),
    ("Ken bought nine books at the fair [1].", ["books"], "number"),
    ("They planted twenty tomato plants [1].", ["garden"], "number"),
    ("Rosa has played the piano for 12 years [1].", ["piano"], "number"),
    ("The flight costs $420 [1].", ["flight"], "number"),
    ("The flight leaves at 8:45 am [1].", ["flight"], "number"),
    ("The flight costs 95 dollars [1] and the hotel 240 euros [2].", ["flight", "hotel"], "number"),
    # a date
    ("Ken signed the lease on 14 March 2024 [1].", ["lease"], "date"),
    ("Ken moves in on 1 May [1].", ["lease"], "date"),
    ("Ines has been a nurse since 2017 [1].", ["sister"], "date"),
    ("Rosa starts on 8 June [1].", ["start"], "date"),
    ("Rosa starts on Friday, 8 July [1].", ["start"], "date"),
    ("Ken ran in Bergen in February 2024 [1].", ["race"], "date"),
    ("His last marathon was in 2023 [1].", ["marathon"], "date"),
    ("They visit on 13 May [1].", ["visit"], "date"),
    ("Ken booked it in 2019 for 500 euros [1].", ["lease"], "date"),
    # a name
    ("Rosa's dog is called Max [1].", ["dog"], "name"),
    ("Ken ran 21 km in Oslo [1].", ["race"], "name"),
    ("Ken's sister Clara is a nurse [1].", ["sister"], "name"),
    ("Rosa has a new job at Siemens [1].", ["job"], "name"),
    ("The office is in Odense [1].", ["start"], "name"),
    ("The flight goes to Madrid [1].", ["flight"], "name"),
    ("Kiki only speaks Spanish [1].", ["parrot"], "name"),
    ("Marta bought a red Saab [1].", ["car"], "name"),
    ("Ines and her husband Paulo visit them [1].", ["visit"], "name"),
    # a unit
    ("Ken ran 21 miles in Bergen [1].", ["race"], "unit"),
    ("Ken pays 850 dollars a month [1].", ["lease"], "unit"),
    ("Bolt weighs 20 lbs [1].", ["dog"], "unit"),
    ("The flight costs 240 euros [1].", ["flight"], "unit"),
    ("Rosa has been playing the piano for ten months [1].", ["piano"], "unit"),
    ("It took him two days [1].", ["race"], "unit"),
    ("The hotel is $95 a night [1].", ["hotel"], "unit"),
    # a denial
    ("Rosa eats meat [1].", ["vegan"], "denial"),
    ("Rosa does not eat eggs [1].", ["vegan"], "denial"),
    ("They went to the concert although it rained, and Ken did go to the concert [1].", ["concert"], "denial"),
    ("Rosa is allergic to nuts [1].", ["allergy"], "denial"),
    ("Ken did not sign the lease [1].", ["lease"], "denial"),
    ("The spare key is not under the flowerpot [1].", ["key"], "denial"),
    ("Ken never hurt his knee [1].", ["knee"], "denial"),
    ("They did not plant a fig tree in the garden [1].", ["garden"], "denial"),
    # another person
    ("Rosa's parrot is called Kiki [1].", ["parrot"], "person"),
    ("Ken's dog is called Bolt [1].", ["dog"], "person"),
    ("Rosa signed the lease [1].", ["lease"], "person"),
    ("Ken bought a red Volvo [1].", ["car"], "person"),
    ("Ken has a new job at Vestas [1].", ["job"], "person"),
    ("Rosa's sister Ines is a nurse [1].", ["sister"], "person"),
    ("Rosa hurt her knee two weeks before [1].", ["knee"], "person"),
    ("Ken starts on 8 July [1].", ["start"], "person"),
    # two things merged into one
    ("Ken signed the lease and bought a car for 9,000 euros [1].", ["lease"], "merged"),
    ("Rosa has a dog named Bolt and a cat named Minka [1].", ["dog"], "merged"),
    ("Ken ran 21 km in Bergen in 1 hour and 40 minutes [1].", ["race"], "merged"),
    ("Ines works in Porto and has two children [1].", ["sister"], "merged"),
    # no citation
    ("Ken pays 850 euros a month.", ["lease"], "uncited"),
    ("Ken ran 21 km [1]. He was the third to finish.", ["race"], "uncited"),
    ("Rosa has a dog [1]. It was a present of her grandfather.", ["dog"], "uncited"),
    ("Marco booked it in 2019 for 500 euros [1].", ["hotel"], "name"),
    ("Ken ran 21 km [7].", ["race"], "uncited"),
]


def supported(answer: str, cited: list[str]) -> bool:
    return is_supported(answer_support(answer, [[TOLD[name]] for name in cited], people=PEOPLE))


def test_there_are_sixty_of_each() -> None:
    assert len(TRUE) >= 60
    assert len(FALSE) >= 60


def test_of_sixty_true_answers_at_most_three_are_marked() -> None:
    marked = [
        (answer, [each["reason"] for each in answer_support(answer, [[TOLD[name]] for name in cited], people=PEOPLE)])
        for answer, cited in TRUE
        if any(
            each["support"] == "unsupported"
            for each in answer_support(answer, [[TOLD[name]] for name in cited], people=PEOPLE)
        )
    ]
    assert len(marked) <= 3, marked


@pytest.mark.parametrize(("answer", "cited", "kind"), FALSE, ids=lambda value: str(value)[:40])
def test_a_false_answer_has_no_tick(answer: str, cited: list[str], kind: str) -> None:
    assert not supported(answer, cited)


def test_what_is_reckoned_is_shown() -> None:
    (found,) = answer_support("Ken bought five books [1].", [[TOLD["books"]]], people=PEOPLE)
    assert found["support"] == "supported"
    assert found["reason"] == "5 = 3 + 2"


def test_sentences_keep_the_markers_that_follow_them() -> None:
    assert sentences("Dr. Lee came at 5 p.m. on Monday [1]. It rained.[2] Yes!") == [
        "Dr. Lee came at 5 p.m. on Monday [1].",
        "It rained.[2]",
        "Yes!",
    ]
